#pragma once

// Remembers on which communicator an operation has failed. A call that completes a request of Rondo names no
// communicator, but the error belongs to the error handler of the communicator on which the operation was started.

#include <mpi.h>

#include <memory>

namespace rondo::mpi {

/// Notes that an operation of this process is reported as failed. `comm` is MPI_COMM_NULL once the communicator has
/// been freed. Throws MpiFailure.
void note_failed(std::weak_ptr<MPI_Comm const> comm);

/// The communicator that was noted last since the previous call; MPI_COMM_NULL if none was noted, or if it has been
/// freed. Throws MpiFailure.
MPI_Comm take_failed();

}  // namespace rondo::mpi
