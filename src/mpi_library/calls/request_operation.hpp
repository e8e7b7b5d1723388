#pragma once

// The interface of the operations behind requests of librondo_mpi: collectives by schedules, neighborhood collectives,
// duplicates of communicators. Waits and tests treat all of them alike.

#include <mpi.h>

#include <memory>

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

}  // namespace rondo::mpi
