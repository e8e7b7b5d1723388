#pragma once

// Requests of operations that are over when they begin.

#include <mpi.h>

#include <memory>

#include "mpi_library/calls/requested.hpp"

namespace rondo::mpi {

/// A request that is complete from the beginning, with this status.
class CompleteRequest : public Requested {
 public:
  explicit CompleteRequest(MPI_Status const& status) : status_(status) {}
  void start() override {}
  bool active() const override { return false; }
  void wait() override {}
  void finish() override {}
  void tell(MPI_Status* status, int code) const override {
    if (status == MPI_STATUS_IGNORE) return;
    *status = status_;
    status->MPI_ERROR = code;
  }
  std::shared_ptr<MPI_Comm const> carrier() const override { return nullptr; }

 private:
  MPI_Status status_;
};

}  // namespace rondo::mpi
