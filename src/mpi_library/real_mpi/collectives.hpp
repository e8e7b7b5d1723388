#pragma once

// How functions/write.py's functions of MPI carry out collectives on a real MPI: by the algorithm that is chosen
// (mpi_library/classical/choice.hpp) with Rondo's schedules, else by the MPI library. The MPI library hands its own
// errors to the communicator's error handler; Rondo's are handed to it here.

#include <mpi.h>

#include <functional>

#include "mpi_library/classical/calls.hpp"
#include "mpi_library/graph/request_handles.hpp"

namespace rondo::mpi {

/// The MPI library's own function, which returns a code.
using Library = std::function<int()>;

int blocking_collective(CollectiveCall const& call, MPI_Comm comm, Library const& library);
int begin_collective(CollectiveCall const& call, MPI_Comm comm, MPI_Request* request, Library const& library);
/// The error of a request of ours belongs to the handler of its communicator.
int answer_request(int code);

}  // namespace rondo::mpi
