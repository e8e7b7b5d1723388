#pragma once

// Places in lists of requests, which begin at 1 in Fortran and at 0 in C.

#include <mpi.h>

namespace rondo::mpi {

inline void count_from_one(void* place) {
  auto* const index = static_cast<MPI_Fint*>(place);
  if (*index != MPI_UNDEFINED) ++*index;
}

/// The places that a function has returned with this code. Other codes leave their number unset.
inline void count_all_from_one(int code, void const* number_of_places, void* places) {
  if (code != MPI_SUCCESS && code != MPI_ERR_IN_STATUS) return;
  for (int i = 0; i < *static_cast<MPI_Fint const*>(number_of_places); ++i) ++static_cast<MPI_Fint*>(places)[i];
}

}  // namespace rondo::mpi
