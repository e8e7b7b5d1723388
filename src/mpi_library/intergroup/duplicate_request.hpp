#pragma once

// Duplicates of communicators that are made without waiting.

#include <mpi.h>

#include <functional>
#include <memory>

#include "mpi/runtime/new_comms.hpp"
#include "mpi_library/calls/requested.hpp"

namespace rondo::mpi {

/// A duplicate, made when the request is found complete: rank 0 tells the others the numbers of the communicators that
/// are made then, by a message to each, so that a rank waits for rank 0 to have begun the same duplicate and for
/// nothing else.
class DuplicateRequest : public Requested {
 public:
  /// Makes the duplicate of the communicator.
  using Make = std::function<MPI_Comm(MPI_Comm, NewComms&)>;

  /// `result` is where the duplicate goes. Throws MpiFailure.
  DuplicateRequest(MPI_Comm original, MPI_Comm* result, Make make);

  void start() override;
  bool active() const override { return request_ != MPI_REQUEST_NULL; }
  void wait() override;
  void finish() override;
  std::shared_ptr<MPI_Comm const> carrier() const override { return nullptr; }
  MPI_Request* of_library() override { return &request_; }

 private:
  MPI_Comm original_;
  MPI_Comm* result_;
  Make make_;
  CommNumbers numbers_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

/// Whether duplicates of the communicator are still to be made here. Then it is freed when the last one has been, and
/// the handle is null.
bool freed_after_duplicates(MPI_Comm* comm);

}  // namespace rondo::mpi
