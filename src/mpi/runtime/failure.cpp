// Turns error codes of MPI into exceptions.

#include "mpi/runtime/failure.hpp"

#include <mpi.h>

namespace rondo::mpi {

void check(int code) {
  if (code != MPI_SUCCESS) throw MpiFailure(code);
}

}  // namespace rondo::mpi
