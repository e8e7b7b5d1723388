// The Fortran functions that functions/write.py does not generate, for Open MPI, whose Fortran functions call
// PMPI_X. Those of MPICH call MPI_X and need nothing.

#include <mpi.h>

#ifdef OPEN_MPI

#include "mpi_library/calls/fortran_call.hpp"

using namespace rondo::mpi;

extern "C" {

void mpi_finalize_(int* ierr) { *ierr = MPI_Finalize(); }

void mpi_comm_set_info_(Word comm, Word info, int* ierr) { *ierr = call(MPI_Comm_set_info, comm, info); }

void mpi_comm_dup_with_info_(Word comm, Word info, Word newcomm, int* ierr) {
  *ierr = call(MPI_Comm_dup_with_info, comm, info, newcomm);
}

}  // extern "C"

#endif
