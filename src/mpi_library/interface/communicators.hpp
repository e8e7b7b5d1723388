#pragma once

// Hands new communicators over to the callers of the C interface.

#include <mpi.h>

#include "mpi_library/calls/guarded.hpp"

namespace rondo::mpi {

/// Makes a communicator; if that fails, the caller gets MPI_COMM_NULL and an error class.
template <typename Make>
int give(MPI_Comm* result, Make const& make) {
  if (result != nullptr) *result = MPI_COMM_NULL;
  return guarded([&] {
    MPI_Comm made = make();
    if (result != nullptr) {
      *result = made;
      return;
    }
    // The other ranks have their communicator already. This rank reports an error, so that it frees its own.
    if (made != MPI_COMM_NULL) MPI_Comm_free(&made);
    throw MpiFailure(MPI_ERR_ARG);
  });
}

}  // namespace rondo::mpi
