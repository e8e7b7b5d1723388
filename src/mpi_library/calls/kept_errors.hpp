#pragma once

// The error codes in statuses. A function of MPI that returns one status leaves its error code alone, because it
// returns the code itself. A function that returns a list of statuses sets the codes if and only if it returns
// MPI_ERR_IN_STATUS [MPI 4.1, 3.2.5]. SMPI and Rondo's operations set every code.

#include <mpi.h>

#include <cstddef>
#include <span>
#include <vector>

namespace rondo::mpi {

/// Makes a call that writes a status, and gives the status its old error code back. Returns the code of the call.
template <typename Call>
int keep_error(MPI_Status* status, Call const& call) {
  if (status == MPI_STATUS_IGNORE) return call();
  int const before = status->MPI_ERROR;
  int const code = call();
  status->MPI_ERROR = before;
  return code;
}

/// Writes a status, except for its error code.
inline void write_status(MPI_Status const& seen, MPI_Status* status) {
  keep_error(status, [&] {
    if (status != MPI_STATUS_IGNORE) *status = seen;
    return MPI_SUCCESS;
  });
}

/// The same as keep_error() for a list of statuses, unless the call returns MPI_ERR_IN_STATUS.
template <typename Call>
int keep_errors(MPI_Status* statuses, std::size_t number, Call const& call) {
  if (statuses == MPI_STATUSES_IGNORE) return call();
  std::vector<int> before;
  for (MPI_Status const& status : std::span(statuses, number)) before.push_back(status.MPI_ERROR);
  int const code = call();
  for (std::size_t i = 0; code != MPI_ERR_IN_STATUS && i < number; ++i) statuses[i].MPI_ERROR = before[i];
  return code;
}

}  // namespace rondo::mpi
