// The empty status [MPI 4.1, 3.7.3] of requests without a message.

#include "mpi_library/calls/request_operation.hpp"

namespace rondo::mpi {

void RequestOperation::set_status(MPI_Status* status, int code) const { set_empty_status(status, code); }

/// The status that the MPI standard calls empty, with an error code.
void set_empty_status(MPI_Status* status, int code) {
  if (status == MPI_STATUS_IGNORE) return;
  status->MPI_SOURCE = MPI_ANY_SOURCE;
  status->MPI_TAG = MPI_ANY_TAG;
  status->MPI_ERROR = code;
  MPI_Status_set_elements(status, MPI_BYTE, 0);
  MPI_Status_set_cancelled(status, 0);
}

}  // namespace rondo::mpi
