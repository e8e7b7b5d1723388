#pragma once

// Errors at the edge of the C interfaces.
// guarded() turns exceptions into error classes: no exception of Rondo may leave the C interfaces, and in some places
// a rank must go on after an error to tell the others.
// The other functions keep the error codes in statuses. A function of MPI that returns one status leaves its error
// code alone, because it returns the code itself. A function that returns a list of statuses sets the codes if and
// only if it returns MPI_ERR_IN_STATUS [MPI 4.1, 3.2.5]. SMPI and Rondo's operations set every code.

#include <mpi.h>

#include <cstddef>
#include <exception>
#include <new>
#include <span>
#include <vector>

#include "base/error.hpp"
#include "mpi/runtime/failure.hpp"

namespace rondo::mpi {

/// Runs `work` and returns the class of the error that ends it, or MPI_SUCCESS; `refused` is the class for an
/// InputError. An exception that is no std::exception is not Rondo's and passes through: SimGrid ends an actor by it,
/// and no actor may survive its end.
template <typename Work>
int guarded(Work const& work, int refused = MPI_ERR_COUNT) {
  try {
    work();
    return MPI_SUCCESS;
  } catch (MpiFailure const& failure) {
    int error_class = MPI_ERR_OTHER;
    MPI_Error_class(failure.code(), &error_class);
    return error_class;
  } catch (InputError const&) {
    return refused;
  } catch (std::bad_alloc const&) {
    return MPI_ERR_NO_MEM;
  } catch (std::exception const&) {
    return MPI_ERR_INTERN;
  }
}

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
