#pragma once

// Communicators that the library makes for itself, so that its messages never match those of the caller.

#include <mpi.h>

#include "mpi/runtime/new_comms.hpp"

namespace rondo::mpi {

/// A communicator that is freed with this object, and whose errors are returned.
class OwnComm {
 public:
  /// Collective: a duplicate. Throws MpiFailure.
  explicit OwnComm(MPI_Comm original);
  /// Collective: of the ranks that name the same color, in the order of their keys; handle() is MPI_COMM_NULL at those
  /// that name MPI_UNDEFINED. Throws MpiFailure.
  OwnComm(MPI_Comm original, int color, int key);
  /// A duplicate. Throws MpiFailure.
  OwnComm(MPI_Comm original, NewComms& comms);
  /// Holds the ranks of a group, in its order; all ranks of the original are in it. Throws MpiFailure.
  OwnComm(MPI_Comm original, MPI_Group group, NewComms& comms);
  ~OwnComm();
  OwnComm(OwnComm const&) = delete;
  OwnComm& operator=(OwnComm const&) = delete;
  MPI_Comm handle() const { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

/// Gives a new communicator the error handler of the one it was made from, as MPI asks for.
void inherit_errhandler(MPI_Comm from, MPI_Comm into);

/// The largest tag of the MPI that this is.
int largest_tag(MPI_Comm comm);

}  // namespace rondo::mpi
