#pragma once

// Communicators that the library makes for itself, so that its messages never match those of the caller.

#include <mpi.h>

namespace rondo::mpi {

/// A duplicate of a communicator, freed with this object, whose errors are returned.
class OwnComm {
 public:
  explicit OwnComm(MPI_Comm original);
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
