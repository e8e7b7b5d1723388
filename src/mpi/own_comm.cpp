#include "mpi/own_comm.hpp"

#include "mpi/failure.hpp"

namespace rondo::mpi {

OwnComm::OwnComm(MPI_Comm original) {
  check(MPI_Comm_dup(original, &comm_));
  MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
}

OwnComm::~OwnComm() { MPI_Comm_free(&comm_); }

int largest_tag(MPI_Comm comm) {
  int* bound = nullptr;
  int found = 0;
  check(MPI_Comm_get_attr(comm, MPI_TAG_UB, static_cast<void*>(&bound), &found));
  constexpr int least_bound = 32767;
  return found != 0 ? *bound : least_bound;
}

}  // namespace rondo::mpi
