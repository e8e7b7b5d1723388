#pragma once

// The constants that rondo/mpi.h defines instead of those in SMPI's mpi.h, for programs that include it. Other
// programs use SMPI's values. The mpi.h of a real MPI needs no replacement.

#include <mpi.h>

#ifdef SMPI_H
// rondo/mpi.h defines the variable in the program.
extern "C" {
extern int const rondo_names_its_constants __attribute__((weak));
}
#endif

namespace rondo::mpi {

#ifdef SMPI_H
/// Whether the program was compiled with rondo/mpi.h, which refers to the weak variable.
inline bool names_constants() { return &rondo_names_its_constants != nullptr; }
#else
/// The constants of a real MPI are those of its own mpi.h.
constexpr bool names_constants() { return false; }
#endif

/// The value of MPI_ROOT in rondo/mpi.h. SMPI's own value (0) is also a rank.
constexpr int named_root = -3;

#ifdef SMPI_H
/// MPI_DISTRIBUTE_DFLT_DARG in rondo/mpi.h and in rondo/fortran/mpif.h.
constexpr int named_default_argument = -1;

/// MPI_MESSAGE_NO_PROC in rondo/mpi.h: the message of a probe whose source is MPI_PROC_NULL. SMPI's own value is that
/// of MPI_MESSAGE_NULL.
inline MPI_Message named_no_proc() { return reinterpret_cast<MPI_Message>(0x5300); }

/// The argument of a distribution as programs that use these constants pass it. SMPI's own default (3) is also the size
/// of a block.
inline int named_argument(int argument) {
  return !names_constants() && argument == MPI_DISTRIBUTE_DFLT_DARG ? named_default_argument : argument;
}
#endif

/// Whether this is MPI_UNWEIGHTED as the program knows it. SMPI's value is a null pointer, which may also be the
/// address of an empty vector; that of rondo/mpi.h is 0x5200.
inline bool is_unweighted(int const* weights) {
  static int const* const named = reinterpret_cast<int const*>(0x5200);
  return names_constants() ? weights == named : weights == MPI_UNWEIGHTED;
}

}  // namespace rondo::mpi
