#pragma once

// The interface of the operations behind requests of librondo_mpi: collectives by schedules, neighborhood
// collectives, duplicates of communicators. Waits and tests treat all of them alike. CompleteRequest represents
// operations that are complete when their request is made, such as reads of files and receives of matched messages.
// LibraryRequest represents operations that the MPI library's own requests carry out.

#include <mpi.h>

#include <functional>
#include <memory>
#include <utility>

#include "mpi/runtime/failure.hpp"

namespace rondo::mpi {

/// A communication operation for which a program has a request. It may be started again once it is complete.
class RequestOperation {
 public:
  virtual ~RequestOperation() = default;
  /// Throws MpiFailure.
  virtual void start() = 0;
  /// Whether it is started and not yet complete.
  virtual bool active() const = 0;
  /// Waits until it is complete. Throws MpiFailure.
  virtual void wait() = 0;
  /// Does the rest of the work at this rank once the operation is complete, and reports errors. Must be called once
  /// after each start, while it is not active. Throws MpiFailure.
  virtual void finish() = 0;
  /// Sets the status of the operation, which has ended with this error code; by default that of no received data.
  virtual void set_status(MPI_Status* status, int code) const;
  /// The caller's communicator, until it is freed; null if none is known.
  virtual std::shared_ptr<MPI_Comm const> comm() const = 0;
  /// The request with which the MPI library carries the operation out, so that the MPI library can wait for it and test
  /// it. Null if the MPI library does not; then Rondo's Progress advances the operation.
  virtual MPI_Request* mpi_request() { return nullptr; }
  /// Must be called when that request has become null: its status and its error code.
  virtual void completed(MPI_Status const& /*status*/, int /*code*/) {}
  /// Whether a started operation ends well if its handle is freed.
  virtual bool ends_without_handle() const { return true; }
  /// Lets a started operation that is used once go on without a handle. Returns whether it can.
  virtual bool let_go() { return false; }
  /// Returns an error code. MPI has no way to cancel a collective operation.
  virtual int cancel() { return MPI_ERR_REQUEST; }
};

/// Sets the status for an operation that received no data and ended with this error code.
void set_empty_status(MPI_Status* status, int code);

/// An operation that keeps the status and the error code with which it ends. Its communicator is unknown, because it
/// may be freed before the request is.
class OperationWithStatus : public RequestOperation {
 public:
  explicit OperationWithStatus(MPI_Status const& status, int code = MPI_SUCCESS) : status_(status), code_(code) {}
  void finish() override { check(code_); }
  void set_status(MPI_Status* status, int code) const override {
    if (status == MPI_STATUS_IGNORE) return;
    *status = status_;
    status->MPI_ERROR = code;
  }
  std::shared_ptr<MPI_Comm const> comm() const override { return nullptr; }
  void completed(MPI_Status const& status, int code) override {
    status_ = status;
    code_ = code;
  }

 protected:
  MPI_Status const& status() const { return status_; }

 private:
  MPI_Status status_;
  int code_;
};

/// An operation that has ended. finish() throws MpiFailure unless its code is MPI_SUCCESS.
class CompleteRequest : public OperationWithStatus {
 public:
  using OperationWithStatus::OperationWithStatus;
  void start() override {}
  bool active() const override { return false; }
  void wait() override {}
  bool let_go() override { return true; }
  int cancel() override { return MPI_SUCCESS; }  // too late
};

/// An operation each start of which makes one of the library's own non-blocking operations. Used for persistent
/// requests that the MPI library lacks or loses.
class LibraryRequest : public OperationWithStatus {
 public:
  /// Starts one and returns the library's error code.
  using Start = std::function<int(MPI_Request*)>;

  /// `start` begins the operation of the MPI library each time.
  explicit LibraryRequest(Start start) : OperationWithStatus(no_partner()), start_(std::move(start)) {}

  void start() override { check(start_(&request_)); }
  bool active() const override { return request_ != MPI_REQUEST_NULL; }
  void wait() override {
    if (!active()) return;
    MPI_Status status{};
    int const code = PMPI_Wait(&request_, &status);
    completed(status, code);
  }
  MPI_Request* mpi_request() override { return &request_; }

 private:
  Start start_;
  MPI_Request request_ = MPI_REQUEST_NULL;

  /// The status if the library has no request, because the partner is MPI_PROC_NULL.
  static MPI_Status no_partner() {
    MPI_Status status{};
    set_empty_status(&status, MPI_SUCCESS);
    status.MPI_SOURCE = MPI_PROC_NULL;
    return status;
  }
};

}  // namespace rondo::mpi
