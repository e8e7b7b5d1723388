#pragma once

// Requests of operations that the MPI library's own requests carry out.

#include <mpi.h>

#include <functional>
#include <memory>
#include <utility>

#include "mpi/runtime/failure.hpp"
#include "mpi_library/calls/request_operation.hpp"

namespace rondo::mpi {

/// An operation each start of which makes one of the library's own non-blocking operations. Used for persistent
/// requests that the MPI library lacks or loses.
class LibraryRequest : public RequestOperation {
 public:
  /// Starts one and returns the library's error code.
  using Start = std::function<int(MPI_Request*)>;

  /// `start` begins the operation of the MPI library each time.
  explicit LibraryRequest(Start start) : start_(std::move(start)) {}

  void start() override { check(start_(&request_)); }
  bool active() const override { return request_ != MPI_REQUEST_NULL; }
  void wait() override {
    if (!active()) return;
    MPI_Status status{};
    int const code = PMPI_Wait(&request_, &status);
    completed(status, code);
  }
  void finish() override { check(code_); }
  void set_status(MPI_Status* status, int code) const override {
    if (status == MPI_STATUS_IGNORE) return;
    *status = status_;
    status->MPI_ERROR = code;
  }
  /// The communicator may be freed before the request is.
  std::shared_ptr<MPI_Comm const> comm() const override { return nullptr; }
  MPI_Request* mpi_request() override { return &request_; }
  void completed(MPI_Status const& status, int code) override {
    status_ = status;
    code_ = code;
  }

 protected:
  MPI_Status const& status() const { return status_; }

 private:
  Start start_;
  MPI_Request request_ = MPI_REQUEST_NULL;
  MPI_Status status_ = no_partner();  ///< of the last start
  int code_ = MPI_SUCCESS;

  /// The status if the library has no request, because the partner is MPI_PROC_NULL.
  static MPI_Status no_partner() {
    MPI_Status status{};
    set_empty_status(&status, MPI_SUCCESS);
    status.MPI_SOURCE = MPI_PROC_NULL;
    return status;
  }
};

}  // namespace rondo::mpi
