#pragma once

// Persistent requests of operations for which the MPI library has no persistent requests, or loses them.

#include <mpi.h>

#include <functional>
#include <memory>
#include <utility>

#include "mpi/runtime/failure.hpp"
#include "mpi_library/calls/request_operation.hpp"

namespace rondo::mpi {

/// An operation each start of which makes one of the library's own non-blocking operations.
class LibraryRequest : public RequestOperation {
 public:
  /// Starts one and returns the library's error code.
  using Start = std::function<int(MPI_Request*)>;

  explicit LibraryRequest(Start start) : start_(std::move(start)) {}

  void start() override { check(start_(&request_)); }
  bool active() const override { return request_ != MPI_REQUEST_NULL; }
  void wait() override { check(PMPI_Wait(&request_, MPI_STATUS_IGNORE)); }
  void finish() override {}
  /// The communicator may be freed before the request is.
  std::shared_ptr<MPI_Comm const> comm() const override { return nullptr; }
  MPI_Request* mpi_request() override { return &request_; }

 private:
  Start start_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace rondo::mpi
