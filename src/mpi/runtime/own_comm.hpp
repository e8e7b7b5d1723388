#pragma once

// Communicators that the library makes for its own messages, so that these never match messages of the caller.

#include <mpi.h>

#include "mpi/runtime/new_comms.hpp"

namespace rondo::mpi {

/// A communicator that is freed with this object and that returns errors instead of aborting.
class OwnComm {
 public:
  /// Collective. A duplicate. Throws MpiFailure.
  explicit OwnComm(MPI_Comm original);
  /// Collective. A communicator of the ranks that name the same color, in the order of their keys. At ranks that name
  /// MPI_UNDEFINED, handle() is MPI_COMM_NULL. Throws MpiFailure.
  OwnComm(MPI_Comm original, int color, int key);
  /// A duplicate that `comms` makes. Throws MpiFailure.
  OwnComm(MPI_Comm original, NewComms& comms);
  /// A communicator of the ranks of a group, in the order of the group, which must contain all ranks of the original.
  /// Throws MpiFailure.
  OwnComm(MPI_Comm original, MPI_Group group, NewComms& comms);
  ~OwnComm();
  OwnComm(OwnComm const&) = delete;
  OwnComm& operator=(OwnComm const&) = delete;
  MPI_Comm handle() const { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

/// Gives a new communicator the error handler of the communicator that it was made from, as the MPI standard requires.
void inherit_errhandler(MPI_Comm from, MPI_Comm into);

/// The largest tag that this MPI library allows.
int largest_tag(MPI_Comm comm);

}  // namespace rondo::mpi
