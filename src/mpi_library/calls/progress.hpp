#pragma once

// The progress engine of operations. It advances them only when the program calls it.

#include <span>
#include <vector>

#include "mpi/runtime/operation.hpp"

namespace rondo::mpi {

/// The active operations of a process. Whoever waits for one of them moves all of them on. Otherwise two ranks that
/// wait for two operations in different orders would wait for each other.
class Progress {
 public:
  /// The operations of the calling process.
  static Progress& of_this_process();

  void start(Operation& operation);
  /// Throws MpiFailure with the operation's failure, if there is one.
  void wait(Operation& operation);
  /// Goes as far as possible without waiting, in all operations.
  void test();
  struct Completed {
    int which = MPI_UNDEFINED;  ///< the index among the MPI library's requests, or MPI_UNDEFINED
    int code = MPI_SUCCESS;
    MPI_Status status = {};
    bool nothing = false;  ///< there was nothing to wait for
  };
  /// Waits until a message of any operation, or one of the MPI library's requests, is complete.
  Completed wait_for_any(std::span<MPI_Request> mpi_requests);

  /// Forgets an operation that is about to be destroyed, whatever its state.
  void forget(Operation& operation) { std::erase(active_, &operation); }

 private:
  void wait_for_any();
  void drop_inactive();

  std::vector<Operation*> active_;
};

}  // namespace rondo::mpi
