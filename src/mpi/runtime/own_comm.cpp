// Duplicates communicators, and carries error handlers over.

#include "mpi/runtime/own_comm.hpp"

#include "mpi/runtime/failure.hpp"

namespace rondo::mpi {

/// Errors on it return codes, which become exceptions.
OwnComm::OwnComm(MPI_Comm original) {
  // The name PMPI_ is necessary: librondo_mpi's own MPI_Comm_dup also copies a topology, and needs an OwnComm for
  // that.
  check(PMPI_Comm_dup(original, &comm_));
  MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
}

OwnComm::OwnComm(MPI_Comm original, int color, int key) {
  check(PMPI_Comm_split(original, color, key, &comm_));
  if (comm_ != MPI_COMM_NULL) MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
}

OwnComm::OwnComm(MPI_Comm original, NewComms& comms) : comm_(comms.duplicate(original)) {
  MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
}

OwnComm::OwnComm(MPI_Comm original, MPI_Group group, NewComms& comms) : comm_(comms.of_group(original, group)) {
  MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
}

OwnComm::~OwnComm() {
  if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
}

/// A communicator that is made for the caller reports errors as the original does.
void inherit_errhandler(MPI_Comm from, MPI_Comm into) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  check(MPI_Comm_get_errhandler(from, &handler));
  check(MPI_Comm_set_errhandler(into, handler));
  // Some MPIs return their own handler, others a new reference. This frees both correctly.
  if (handler != MPI_ERRORS_RETURN && handler != MPI_ERRORS_ARE_FATAL) MPI_Errhandler_free(&handler);
}

/// The standard guarantees 32767.
int largest_tag(MPI_Comm comm) {
  int* bound = nullptr;
  int found = 0;
  check(MPI_Comm_get_attr(comm, MPI_TAG_UB, static_cast<void*>(&bound), &found));
  constexpr int least_bound = 32767;
  return found != 0 ? *bound : least_bound;
}

}  // namespace rondo::mpi
