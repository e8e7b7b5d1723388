#pragma once

// The blocking collectives of a communicator that were called lately, ready to be carried out again. A program repeats
// its calls with the same buffers, and then nothing of a call has to be made anew.

#include <mpi.h>

#include <cstddef>
#include <list>
#include <memory>

#include "mpi_library/classical/classical_request.hpp"
#include "mpi_library/classical/collective_call.hpp"

namespace rondo::mpi {

/// Carried by the caller's communicator (calls/attached.hpp).
class RecentCalls {
 public:
  /// The operation for a call with exactly these arguments, with a new tag, if all choices are still the same; null if
  /// there is none. It stays here until forget() or the next keep().
  ClassicalRequest* find(CollectiveCall const& call);
  /// To be called if the operation that was found last has failed.
  void forget() { calls_.pop_front(); }
  /// Keeps the operation of a call that has been carried out, or forgets it: if it has much memory, if the call has
  /// lists of counts, which may change, or if a datatype or the operator is the program's own, whose handle may be used
  /// again for another one.
  static void keep(MPI_Comm comm, CollectiveCall const& call, std::unique_ptr<ClassicalRequest> request);

 private:
#ifdef SMPI_H
  static constexpr std::size_t most_bytes = std::size_t{64} << 10;  // all ranks are in one process
#else
  static constexpr std::size_t most_bytes = std::size_t{4} << 20;
#endif
  static constexpr std::size_t most_calls = 8;
  struct Call {
    CollectiveCall call;
    std::unique_ptr<ClassicalRequest> request;
  };
  void drop_old();

  std::list<Call> calls_;  ///< the one that was found or kept last comes first
};

}  // namespace rondo::mpi
