#pragma once

// The constants that rondo/mpi.h has in place of those of SMPI's mpi.h, in programs that include it. Other programs
// have SMPI's, and a real MPI's mpi.h is right.

#include <mpi.h>

#ifdef SMPI_H
// rondo/mpi.h defines it.
extern "C" {
extern int const rondo_names_its_constants __attribute__((weak));
}
#endif

namespace rondo::mpi {

#ifdef SMPI_H
inline bool names_constants() { return &rondo_names_its_constants != nullptr; }
#else
constexpr bool names_constants() { return false; }
#endif

/// MPI_ROOT, where SMPI's own is a rank (0).
constexpr int named_root = -3;

/// Whether this is MPI_UNWEIGHTED. SMPI's own is a null pointer, as is the address of an empty vector.
inline bool is_unweighted(int const* weights) {
  static int const* const named = reinterpret_cast<int const*>(0x5200);
  return names_constants() ? weights == named : weights == MPI_UNWEIGHTED;
}

}  // namespace rondo::mpi
