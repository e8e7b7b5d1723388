#pragma once

// Represents operations that are complete when their request is made, such as reads of files and receives of matched
// messages.

#include <mpi.h>

#include <memory>

#include "mpi/runtime/failure.hpp"
#include "mpi_library/calls/request_operation.hpp"

namespace rondo::mpi {

/// An operation that has ended with a status and an error code.
class CompleteRequest : public RequestOperation {
 public:
  /// finish() throws MpiFailure with `code` unless it is MPI_SUCCESS.
  explicit CompleteRequest(MPI_Status const& status, int code = MPI_SUCCESS) : status_(status), code_(code) {}
  void start() override {}
  bool active() const override { return false; }
  void wait() override {}
  void finish() override { check(code_); }
  void set_status(MPI_Status* status, int code) const override {
    if (status == MPI_STATUS_IGNORE) return;
    *status = status_;
    status->MPI_ERROR = code;
  }
  std::shared_ptr<MPI_Comm const> comm() const override { return nullptr; }
  bool let_go() override { return true; }
  int cancel() override { return MPI_SUCCESS; }  // too late

 private:
  MPI_Status status_;
  int code_;
};

}  // namespace rondo::mpi
