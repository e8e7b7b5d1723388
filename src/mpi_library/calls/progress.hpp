#pragma once

// The progress engine of operations, which advances only when the program calls it.

#include <span>
#include <vector>

#include "mpi/runtime/operation.hpp"

namespace rondo::mpi {

/// The active operations of a process. Whoever waits for one of them takes part in the rounds of all: two ranks that
/// wait for two operations in different order would else wait for each other.
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
    int which = MPI_UNDEFINED;  ///< the index among the foreign requests, or MPI_UNDEFINED
    int code = MPI_SUCCESS;
    MPI_Status status = {};
  };
  /// Waits until a message of any operation or one of the `foreign` requests, which are not the library's own, is
  /// complete.
  Completed wait_for_any(std::span<MPI_Request> foreign);

  /// The operation is about to end, whatever has become of it.
  void forget(Operation& operation) { std::erase(active_, &operation); }

 private:
  void wait_for_any();
  void drop_inactive();

  std::vector<Operation*> active_;
};

}  // namespace rondo::mpi
