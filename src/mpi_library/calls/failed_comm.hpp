#pragma once

// On which communicator an operation has failed: whoever completes a request of ours names no communicator, but the
// error belongs to the handler of the one that the operation was started on.

#include <mpi.h>

#include <memory>

namespace rondo::mpi {

/// An operation of this process is reported as failed. `comm` is MPI_COMM_NULL once the communicator has been freed.
/// Throws MpiFailure.
void note_failed(std::weak_ptr<MPI_Comm const> comm);

/// The last communicator that was noted since the previous call; MPI_COMM_NULL if nothing was noted since, or if that
/// communicator has been freed. Throws MpiFailure.
MPI_Comm take_failed();

}  // namespace rondo::mpi
