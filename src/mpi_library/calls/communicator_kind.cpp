// Marks inter-communicators of Rondo by an attribute, and tells the kinds of communicators apart.

#include "mpi_library/calls/communicator_kind.hpp"

#include <atomic>
#include <memory>

#include "mpi/runtime/failure.hpp"
#include "mpi_library/calls/attached.hpp"

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

}  // namespace rondo::mpi
