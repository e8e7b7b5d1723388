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

/// The elements of a sender's block, and where the blocks go at a receiver.
struct IntergroupBlocks {
  void const* send = nullptr;
  void* receive = nullptr;
  int count = 0;
  MPI_Datatype type = MPI_BYTE;
  enum class Sizes : std::uint8_t { one, a_sender };
  Sizes sizes = Sizes::one;
  int const* counts = nullptr;  ///< with a size a sender: p of them in place of `count`
  bool wanted = true;           ///< false at a rank that can keep no request: an error, of which all are told
};

/// Collective. Throws MpiFailure at every rank if at one rank the block is described wrongly, or if the ranks do not
/// ask for the same.
std::unique_ptr<IntergroupRequest> make_request(std::shared_ptr<IntergroupComm> const& home,
                                                IntergroupBlocks const& blocks);

}  // namespace rondo::mpi
