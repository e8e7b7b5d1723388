#pragma once

// Duplicates of communicators that are made without waiting (MPI_Comm_idup).

#include <mpi.h>

#include <functional>
#include <memory>

#include "mpi/runtime/own_comm.hpp"
#include "mpi_library/calls/request_operation.hpp"

namespace rondo::mpi {

/// A duplicate that is made when its request is found complete. Rank 0 sends every other rank a message with the
/// numbers of the communicators that will be made. So a rank waits only until rank 0 has begun the same duplicate.
class DuplicateRequest : public RequestOperation {
 public:
  /// Makes the duplicate of the communicator.
  using Make = std::function<MPI_Comm(MPI_Comm, NewComms&)>;

  /// `result` is where the handle of the duplicate is stored. Throws MpiFailure.
  DuplicateRequest(MPI_Comm original, MPI_Comm* result, Make make);

  void start() override;
  bool active() const override { return request_ != MPI_REQUEST_NULL; }
  void wait() override;
  void finish() override;
  std::shared_ptr<MPI_Comm const> comm() const override { return nullptr; }
  MPI_Request* mpi_request() override { return &request_; }

 private:
  MPI_Comm original_;
  MPI_Comm* result_;
  Make make_;
  CommNumbers numbers_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

/// Whether the communicator still has to be duplicated here. If so, it is freed after the last duplicate, and its
/// handle becomes null now.
bool freed_after_duplicates(MPI_Comm* comm);

}  // namespace rondo::mpi
