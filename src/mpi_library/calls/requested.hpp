#pragma once

// What the requests of this library stand for.

#include <mpi.h>

#include <memory>

namespace rondo::mpi {

/// A communication operation that a program has a request of. It may be started again once it is complete.
class Requested {
 public:
  virtual ~Requested() = default;
  /// Throws MpiFailure.
  virtual void start() = 0;
  /// Whether it is started and not yet complete.
  virtual bool active() const = 0;
  /// Waits until it is complete. Throws MpiFailure.
  virtual void wait() = 0;
  /// Does what is left to do at this rank once the operation is complete, and reports what was wrong. To be called once
  /// after each start, while it is not active. Throws MpiFailure.
  virtual void finish() = 0;
  /// The caller's communicator, until it is freed; null where none is known.
  virtual std::shared_ptr<MPI_Comm const> carrier() const = 0;
  /// The request by which the MPI library carries it out, for the library to wait for and to test; null if it does not,
  /// and then active() gets on with Progress.
  virtual MPI_Request* of_library() { return nullptr; }
};

}  // namespace rondo::mpi
