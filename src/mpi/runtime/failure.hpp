#pragma once

// MPI errors as exceptions. An exception carries the error code from the place where it arises to the function of
// the C interface that returns it.

#include <mpi.h>

#include <exception>

namespace rondo::mpi {

/// An MPI error code, or error class, on its way to the caller of the C interface.
class MpiFailure : public std::exception {
 public:
  explicit MpiFailure(int code) : code_(code) {}
  int code() const { return code_; }
  char const* what() const noexcept override { return "an MPI error"; }

 private:
  int code_;
};

/// Throws MpiFailure unless the code is MPI_SUCCESS.
void check(int code);

/// The rank of the caller in a communicator. Throws MpiFailure.
int rank_in(MPI_Comm comm);

/// The number of ranks of a communicator; of the local group, if it has two. Throws MpiFailure.
int size_of(MPI_Comm comm);

}  // namespace rondo::mpi
