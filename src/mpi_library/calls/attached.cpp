// Marks inter-communicators of Rondo by an attribute, and tells the kinds of communicators apart. The communicator of
// the last failure is stored once for each rank.

#include "mpi_library/calls/attached.hpp"

#include <atomic>
#include <memory>
#include <utility>

#include "mpi/runtime/failure.hpp"

namespace rondo::mpi {
namespace {

/// Attached to a communicator of Rondo that joins two groups.
struct InterMark {};

/// How many marks have been made, by all ranks that share this program's variables.
std::atomic<int> marks = 0;

}  // namespace

void mark_inter(MPI_Comm comm) {
  ++marks;
  Attached<InterMark>::attach(comm, std::make_shared<InterMark>());
}

bool is_inter(MPI_Comm comm) {
  return marks != 0 && comm != MPI_COMM_NULL && Attached<InterMark>::if_any(comm) != nullptr;
}

/// Throws MpiFailure for an inter-communicator, Rondo's own or the library's.
void expect_intra(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL || is_inter(comm)) throw MpiFailure(MPI_ERR_COMM);
  int library_inter = 0;
  check(PMPI_Comm_test_inter(comm, &library_inter));
  if (library_inter != 0) throw MpiFailure(MPI_ERR_COMM);
}

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
