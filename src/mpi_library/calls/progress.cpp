// Advances Rondo's operations while a program waits or tests. Nothing advances between calls, as in MPI libraries
// without a progress thread.

#include "mpi_library/calls/progress.hpp"

#include <mpi.h>

#include <vector>

#include "mpi/runtime/failure.hpp"
#include "mpi/runtime/wait_any.hpp"
#include "mpi_library/calls/attached.hpp"

namespace rondo::mpi {

Progress& Progress::of_this_process() { return Attached<Progress>::of_this_process(); }

void Progress::start(Operation& operation) {
  active_.push_back(&operation);
  operation.start();
  drop_inactive();
}

/// Waits for one operation, and advances all others meanwhile.
void Progress::wait(Operation& operation) {
  while (operation.active()) {
    if (active_.size() == 1)
      operation.wait_for_round();
    else
      wait_for_any();
    drop_inactive();
  }
  check(operation.failure());
}

void Progress::test() {
  for (Operation* operation : active_) operation->test();
  drop_inactive();
}

void Progress::wait_for_any() {
  std::vector<MPI_Request> none;
  wait_for_any(none);
}

/// Waits for any message of Rondo's operations, or any of the given requests of the MPI library.
Progress::Completed Progress::wait_for_any(std::span<MPI_Request> mpi_requests) {
  std::vector<MPI_Request> all(mpi_requests.begin(), mpi_requests.end());
  for (Operation const* operation : active_) {
    all.insert(all.end(), operation->pending().begin(), operation->pending().end());
  }
  Completed result;
  clear_stale_call();
  result.code = PMPI_Waitany(static_cast<int>(all.size()), all.data(), &result.which, &result.status);
  result.nothing = result.which == MPI_UNDEFINED;
  if (result.nothing) return result;
  auto k = static_cast<std::size_t>(result.which);
  if (k < mpi_requests.size()) {
    mpi_requests[k] = all[k];
    return result;
  }
  k -= mpi_requests.size();
  result.which = MPI_UNDEFINED;
  for (Operation* operation : active_) {
    if (k < operation->pending().size()) {
      operation->completed(k, result.code, result.status);
      break;
    }
    k -= operation->pending().size();
  }
  drop_inactive();
  return result;
}

void Progress::drop_inactive() {
  std::erase_if(active_, [](Operation const* operation) { return !operation->active(); });
}

}  // namespace rondo::mpi
