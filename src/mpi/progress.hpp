#pragma once

#include <vector>

#include "mpi/operation.hpp"

namespace rondo::mpi {

/// The active operations of a process. Whoever waits for one of them takes part in the rounds of all: two ranks that
/// wait for two operations in different order would else wait for each other.
class Progress {
 public:
  /// That of the calling process, attached to its MPI_COMM_SELF: where ranks are threads or actors of one program, they
  /// share its variables.
  static Progress& of_this_process();

  void start(Operation& operation);
  void wait(Operation& operation);
  /// Goes as far as possible without waiting, in all operations.
  void test();
  /// The operation is about to end, whatever has become of it.
  void forget(Operation& operation) { std::erase(active_, &operation); }

 private:
  /// Waits until a message of any operation is complete.
  void wait_for_any();
  void drop_inactive();

  std::vector<Operation*> active_;
};

}  // namespace rondo::mpi
