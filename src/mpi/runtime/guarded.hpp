#pragma once

// An error class in place of what is thrown: at the edge of the C interfaces, which no exception leaves, and where
// ranks must go on after an error to tell the others.

#include <mpi.h>

#include <new>

#include "base/error.hpp"
#include "mpi/runtime/failure.hpp"

namespace rondo::mpi {

template <typename Work>
int guarded(Work const& work) noexcept {
  try {
    work();
    return MPI_SUCCESS;
  } catch (MpiFailure const& failure) {
    int error_class = MPI_ERR_OTHER;
    MPI_Error_class(failure.code(), &error_class);
    return error_class;
  } catch (InputError const&) {
    return MPI_ERR_COUNT;
  } catch (std::bad_alloc const&) {
    return MPI_ERR_NO_MEM;
  } catch (...) {
    return MPI_ERR_INTERN;
  }
}

}  // namespace rondo::mpi
