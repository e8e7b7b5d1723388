// Stores the communicator of the last failure, one for each rank.

#include "mpi_library/calls/failed_comm.hpp"

#include <utility>

#include "mpi_library/calls/attached.hpp"

namespace rondo::mpi {
namespace {

/// The communicator of the last failed operation of this rank.
struct FailedComm {
  std::weak_ptr<MPI_Comm const> last;
};

}  // namespace

void note_failed(std::weak_ptr<MPI_Comm const> comm) { Attached<FailedComm>::of_this_process().last = std::move(comm); }

MPI_Comm take_failed() {
  auto const comm = std::exchange(Attached<FailedComm>::of_this_process().last, {}).lock();
  return comm == nullptr ? MPI_COMM_NULL : *comm;
}

}  // namespace rondo::mpi
