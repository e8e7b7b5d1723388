// Turns error codes of MPI into exceptions.

#include "mpi/runtime/failure.hpp"

namespace rondo::mpi {

void check(int code) {
  if (code != MPI_SUCCESS) throw MpiFailure(code);
}

int rank_in(MPI_Comm comm) {
  int rank = 0;
  check(MPI_Comm_rank(comm, &rank));
  return rank;
}

int size_of(MPI_Comm comm) {
  int size = 0;
  check(MPI_Comm_size(comm, &size));
  return size;
}

}  // namespace rondo::mpi
