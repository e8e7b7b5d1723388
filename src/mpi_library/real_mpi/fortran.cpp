// The Fortran functions that functions/write.py does not generate, for Open MPI, whose Fortran functions call
// PMPI_X. Those of MPICH call MPI_X; f08.cpp has the exceptions.

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

// The functions that complete requests, which may be Rondo's.

void mpi_wait_(Word request, Word status, int* ierr) {
  *ierr = MPI_Wait(FortranRequests(1, request).data(), statuses(status));
}

void mpi_test_(Word request, int* flag, Word status, int* ierr) {
  *ierr = MPI_Test(FortranRequests(1, request).data(), flag, statuses(status));
}

void mpi_request_get_status_(Word request, int* flag, Word status, int* ierr) {
  *ierr = MPI_Request_get_status(*FortranRequests(1, request).data(), flag, statuses(status));
}

void mpi_waitall_(Word count, Word requests, Word all, int* ierr) {
  *ierr = MPI_Waitall(number(count), FortranRequests(number(count), requests).data(), statuses(all));
}

void mpi_testall_(Word count, Word requests, int* flag, Word all, int* ierr) {
  *ierr = MPI_Testall(number(count), FortranRequests(number(count), requests).data(), flag, statuses(all));
}

void mpi_waitany_(Word count, Word requests, int* index, Word status, int* ierr) {
  *ierr = MPI_Waitany(number(count), FortranRequests(number(count), requests).data(), index, statuses(status));
  count_from_one(index);
}

void mpi_testany_(Word count, Word requests, int* index, int* flag, Word status, int* ierr) {
  *ierr = MPI_Testany(number(count), FortranRequests(number(count), requests).data(), index, flag, statuses(status));
  count_from_one(index);
}

void mpi_waitsome_(Word count, Word requests, int* outcount, int* indices, Word all, int* ierr) {
  *ierr =
      MPI_Waitsome(number(count), FortranRequests(number(count), requests).data(), outcount, indices, statuses(all));
  count_all_from_one(*ierr, outcount, indices);
}

void mpi_testsome_(Word count, Word requests, int* outcount, int* indices, Word all, int* ierr) {
  *ierr =
      MPI_Testsome(number(count), FortranRequests(number(count), requests).data(), outcount, indices, statuses(all));
  count_all_from_one(*ierr, outcount, indices);
}

}  // extern "C"

#endif
