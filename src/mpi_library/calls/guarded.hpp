#pragma once

// An error class in place of what is thrown: at the edge of the C interfaces, which no exception of ours leaves, and
// where ranks must go on after an error to tell the others.

#include <mpi.h>

#include <exception>
#include <new>

#include "base/error.hpp"
#include "mpi/runtime/failure.hpp"

namespace rondo::mpi {

/// The class of the error that ends `work`, or MPI_SUCCESS; `refused` stands for an InputError. What is
/// no std::exception is not ours and passes: by it SimGrid ends an actor, which none may outlive.
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
