// Duplicates without waiting. Numbers of communicators are drawn by rank 0 and broadcast, since ranks make the
// duplicate at different times and SMPI's own numbers depend on the order of calls.

#include "mpi_library/intergroup/duplicate_request.hpp"

#include <atomic>
#include <map>
#include <utility>
#include <vector>

#include "mpi/runtime/failure.hpp"
#include "mpi_library/calls/attached.hpp"
#include "mpi_library/calls/guarded.hpp"
#include "mpi_library/intergroup/inter_comm.hpp"

namespace rondo::mpi {
namespace {

/// How many duplicates of a communicator are due, and whether the program has freed it.
struct Pending {
  int duplicates = 0;
  bool freed = false;  ///< by the program, which may do so before they are made
};

/// The number of duplicates of all ranks that share this program's variables.
std::atomic<int> duplicates_to_be_made = 0;

/// The communicators of a process that still have to be duplicated.
struct PendingDuplicates {
  std::map<MPI_Comm, Pending> all;
};

std::map<MPI_Comm, Pending>& originals() { return Attached<PendingDuplicates>::of_this_process().all; }

/// Notes that a duplicate is made, and frees the original if the program wanted that.
void one_less(MPI_Comm original) {
  --duplicates_to_be_made;
  auto const found = originals().find(original);
  if (--found->second.duplicates > 0) return;
  bool const freed = found->second.freed;
  originals().erase(found);
  if (freed) check(PMPI_Comm_free(&original));
}

/// The numbers of the communicators that this rank makes. The first one is that of the result, which is different in
/// each of two groups.
std::vector<int> own_numbers(CommNumbers const& numbers, InterComm const* inter) {
  bool const second = inter != nullptr && inter->local_first != 0;
  std::vector<int> result{numbers.drawn[second ? 1 : 0]};
  result.insert(result.end(), numbers.drawn.begin() + 2, numbers.drawn.end());
  return result;
}

}  // namespace

DuplicateRequest::DuplicateRequest(MPI_Comm original, MPI_Comm* result, Make make)
    : original_(original), result_(result), make_(std::move(make)) {
  if (original == MPI_COMM_NULL) throw MpiFailure(MPI_ERR_COMM);
}

/// Rank 0 of both groups draws the numbers of the new communicators, and a broadcast that does not wait tells them.
void DuplicateRequest::start() {
  auto const inter = inter_comm(original_);
  MPI_Comm const all = inter == nullptr ? original_ : inter->both->comm->handle();
  if (rank_in(all) == 0) numbers_ = CommNumbers::draw();
  check(PMPI_Ibcast(numbers_.drawn.data(), static_cast<int>(CommNumbers::most), MPI_INT, 0, all, &request_));
  ++duplicates_to_be_made;
  ++originals()[original_].duplicates;
}

void DuplicateRequest::wait() { check(PMPI_Wait(&request_, MPI_STATUS_IGNORE)); }

/// Makes the communicators with the numbers that have arrived, without another message.
void DuplicateRequest::finish() {
  std::vector<int> const numbers = own_numbers(numbers_, inter_comm(original_).get());
  NewComms comms(numbers);
  MPI_Comm const original = original_;
  int const code = guarded([&] { *result_ = make_(original, comms); });
  one_less(original);
  check(code);
}

/// Whether a free must wait for duplicates; the handle of the caller becomes null at once.
bool freed_after_duplicates(MPI_Comm* comm) {
  if (duplicates_to_be_made == 0 || comm == nullptr || *comm == MPI_COMM_NULL) return false;
  auto const found = originals().find(*comm);
  if (found == originals().end()) return false;
  found->second.freed = true;
  *comm = MPI_COMM_NULL;
  return true;
}

}  // namespace rondo::mpi
