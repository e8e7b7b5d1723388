#pragma once

// How the functions of librondo_mpi with MPI's own names report errors: as MPI does, through the error handler.
// Files and windows have error handlers of their own. SMPI's own files are not used, so that their handlers are
// called here.

#include <mpi.h>

#include <memory>
#include <type_traits>

namespace rondo::mpi {

/// Returns an error class from the MPI function with this name, after the communicator's error handler was called. The
/// default handler, MPI_ERRORS_ARE_FATAL, ends the program with a line that names the error and the function.
int answer(MPI_Comm comm, int code, char const* function);

/// Returns the code of a function that makes a communicator from `parent`. If it has made one for this rank, that gets
/// the error handler of `parent`, as MPI demands; SMPI sets it for duplicates only.
int with_handler_of(MPI_Comm parent, MPI_Comm const* made, int code);

/// Gives the error of a request to the error handler of the communicator on which an operation of Rondo has failed. For
/// other errors no communicator is known. If such an error is that of a message, SMPI has called the handler already.
int answer_request(int code, char const* function);

/// Prints the error and the function, and ends all ranks with this code.
void end_program(MPI_Comm comm, int code, char const* function);

/// Ends all ranks of the simulation as MPI_Abort does, and makes the process end with this exit code; with SMPI alone
/// it would end with 0. Does not return.
int end_ranks(MPI_Comm comm, int code);

/// A reference to an error handler, which the program may free meanwhile.
using KeptHandler = std::shared_ptr<std::remove_pointer_t<MPI_Errhandler>>;
KeptHandler keep_handler(MPI_Errhandler handler);

}  // namespace rondo::mpi
