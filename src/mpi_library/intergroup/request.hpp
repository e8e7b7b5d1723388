#pragma once

// Persistent requests of the inter-group all-to-all broadcast, behind the C interface of rondo/intergroup.h.

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "mpi_library/intergroup/comm.hpp"

namespace rondo::mpi {

/// An inter-group all-to-all broadcast that can be started again and again.
class IntergroupRequest {
 public:
  virtual ~IntergroupRequest() = default;
  /// Collective, blocking. Throws MpiFailure.
  virtual void start() = 0;
};

/// The elements of a sender's block, and the places of the blocks at a receiver.
struct IntergroupBlocks {
  void const* send = nullptr;
  void* receive = nullptr;
  int count = 0;
  MPI_Datatype type = MPI_BYTE;
  enum class Sizes : std::uint8_t { uniform, per_sender };
  Sizes sizes = Sizes::uniform;
  int const* counts = nullptr;  ///< if every sender has its own size, the counts of all p senders instead of `count`
  bool wanted = true;           ///< false at a rank that cannot keep a request: all ranks learn of the error
};

/// Collective. Throws MpiFailure at every rank if some rank describes its block wrongly, or if the ranks do not ask for
/// the same.
std::unique_ptr<IntergroupRequest> make_request(std::shared_ptr<IntergroupComm> const& comm_state,
                                                IntergroupBlocks const& blocks);

}  // namespace rondo::mpi
