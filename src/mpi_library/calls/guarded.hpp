#pragma once

// Turns exceptions into error classes: at the edge of the C interfaces, which no exception of Rondo may leave, and
// in places where a rank must go on after an error to tell the others.

#include <mpi.h>

#include <exception>
#include <new>

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

}  // namespace rondo::mpi
