#pragma once

// How the functions of librondo_mpi that bear MPI's own names report errors: as MPI does, by the error handler.

#include <mpi.h>

namespace rondo::mpi {

/// An error class on its way out of the MPI function of this name, by way of the communicator's error handler:
/// MPI_ERRORS_ARE_FATAL, which is the default, ends the program with a line that names both.
int answer(MPI_Comm comm, int code, char const* function);

/// Hands an error of a request to the error handler of the communicator on which a neighborhood collective has failed.
/// For errors of other requests no communicator is known.
int answer_request(int code, char const* function);

/// Ends all ranks of the simulation as MPI_Abort does, and gives the process the exit code that SMPI's own forgets: it
/// ends with 0 then. Does not return.
int end_ranks(MPI_Comm comm, int code);

}  // namespace rondo::mpi
