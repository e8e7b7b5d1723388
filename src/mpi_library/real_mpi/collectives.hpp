#pragma once

// How the functions of MPI that functions/write.py generates carry out collectives on a real MPI: with Rondo's
// schedules if an algorithm is chosen (mpi_library/classical/choice.hpp), otherwise by the MPI library. The MPI library
// gives its own errors to the communicator's error handler; for Rondo's errors this code does it.

#include <mpi.h>

#include "mpi_library/classical/calls.hpp"
#include "mpi_library/graph/request_handles.hpp"

namespace rondo::mpi {

/// The MPI library's own function with its arguments. It returns a code. Refers to a callable object.
class Library {
 public:
  template <typename Call>
  Library(Call const& call)
      : call_(&call), run_([](void const* given) { return (*static_cast<Call const*>(given))(); }) {}
  int operator()() const { return run_(call_); }

 private:
  void const* call_;
  int (*run_)(void const*);
};

int blocking_collective(CollectiveCall const& call, MPI_Comm comm, Library const& library);
int begin_collective(CollectiveCall const& call, MPI_Comm comm, MPI_Request* request, Library const& library);
/// Gives the error of one of Rondo's requests to the error handler of its communicator.
int answer_request(int code);

}  // namespace rondo::mpi
