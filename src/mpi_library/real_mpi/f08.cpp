// The functions of mpi_f08 for MPICH that have no buffer. Those of libmpichfort call PMPI_X and would not know Rondo's
// requests, its choices of barriers and its hints. Those with buffers call MPI_X and need nothing. MPICH's handles and
// statuses are alike in C and in Fortran. `ierr` is null if the program leaves it out.

#include <mpi.h>

#ifdef MPICH_VERSION

#include "mpi_library/calls/fortran_places.hpp"

namespace {

using namespace rondo::mpi;

/// Stores the code of a call.
void give(int* ierr, int code) {
  if (ierr != nullptr) *ierr = code;
}

/// A status, or a list of statuses.
MPI_Status* in_c(void* status) {
  bool const is_ignored = status == MPI_F08_STATUS_IGNORE || status == MPI_F08_STATUSES_IGNORE;
  return is_ignored ? MPI_STATUS_IGNORE : static_cast<MPI_Status*>(status);
}

}  // namespace

extern "C" {

void mpi_barrier_f08_(MPI_Comm* comm, int* ierr) { give(ierr, MPI_Barrier(*comm)); }

void mpi_ibarrier_f08_(MPI_Comm* comm, MPI_Request* request, int* ierr) { give(ierr, MPI_Ibarrier(*comm, request)); }

void mpi_finalize_f08_(int* ierr) { give(ierr, MPI_Finalize()); }

void mpi_comm_set_info_f08_(MPI_Comm* comm, MPI_Info* info, int* ierr) { give(ierr, MPI_Comm_set_info(*comm, *info)); }

void mpi_comm_dup_with_info_f08_(MPI_Comm* comm, MPI_Info* info, MPI_Comm* newcomm, int* ierr) {
  give(ierr, MPI_Comm_dup_with_info(*comm, *info, newcomm));
}

void mpi_request_free_f08_(MPI_Request* request, int* ierr) { give(ierr, MPI_Request_free(request)); }

void mpi_request_get_status_f08_(MPI_Request* request, int* flag, void* status, int* ierr) {
  give(ierr, MPI_Request_get_status(*request, flag, in_c(status)));
}

void mpi_wait_f08_(MPI_Request* request, void* status, int* ierr) { give(ierr, MPI_Wait(request, in_c(status))); }

void mpi_test_f08_(MPI_Request* request, int* flag, void* status, int* ierr) {
  give(ierr, MPI_Test(request, flag, in_c(status)));
}

void mpi_waitall_f08_(int* count, MPI_Request* requests, void* all, int* ierr) {
  give(ierr, MPI_Waitall(*count, requests, in_c(all)));
}

void mpi_testall_f08_(int* count, MPI_Request* requests, int* flag, void* all, int* ierr) {
  give(ierr, MPI_Testall(*count, requests, flag, in_c(all)));
}

void mpi_waitany_f08_(int* count, MPI_Request* requests, int* index, void* status, int* ierr) {
  int const code = MPI_Waitany(*count, requests, index, in_c(status));
  count_from_one(index);
  give(ierr, code);
}

void mpi_testany_f08_(int* count, MPI_Request* requests, int* index, int* flag, void* status, int* ierr) {
  int const code = MPI_Testany(*count, requests, index, flag, in_c(status));
  if (*flag != 0) count_from_one(index);
  give(ierr, code);
}

void mpi_waitsome_f08_(int* count, MPI_Request* requests, int* outcount, int* indices, void* all, int* ierr) {
  int const code = MPI_Waitsome(*count, requests, outcount, indices, in_c(all));
  count_all_from_one(code, outcount, indices);
  give(ierr, code);
}

void mpi_testsome_f08_(int* count, MPI_Request* requests, int* outcount, int* indices, void* all, int* ierr) {
  int const code = MPI_Testsome(*count, requests, outcount, indices, in_c(all));
  count_all_from_one(code, outcount, indices);
  give(ierr, code);
}

}  // extern "C"

#endif
