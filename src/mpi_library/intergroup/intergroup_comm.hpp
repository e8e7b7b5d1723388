#pragma once

// The C interface rondo/intergroup.h is built on these types. IntergroupComm is the state of an intra-communicator
// whose ranks are divided into senders and receivers. IntergroupRequest is a persistent request of the inter-group
// all-to-all broadcast on it. The inter-communicators of MPI are in inter_comm.hpp.

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "mpi/runtime/library_intergroup.hpp"
#include "problem/intergroup.hpp"

namespace rondo::mpi {

/// The communicator and the requests that were made on it share this state.
struct IntergroupComm {
  std::unique_ptr<SubComm> ordered;  ///< the senders, then the receivers; carries no messages of the caller
  problem::Intergroup problem;       ///< the problem of its requests, without the sizes of their blocks
  Rank rank{};                       ///< in `ordered`
};

/// Sets "algorithm", "allgather", "broadcast" or "building_blocks" to a value that problem/enums.hpp names. Sets
/// "torus" to extents such as "4,4"; an empty text removes the torus. Throws MpiFailure: MPI_ERR_ARG for any other
/// option or value, MPI_ERR_DIMS for a torus with too many ranks.
void set_option(problem::Intergroup& problem, std::string_view option, std::string_view value);

/// Collective. Divides the ranks of `comm` into senders and receivers. `code` is the error that this rank has found
/// before. Throws MpiFailure at every rank: MPI_ERR_COMM if `comm` is an inter-communicator, the largest error that a
/// rank has found, or MPI_ERR_GROUP if a group is empty.
std::shared_ptr<IntergroupComm> intergroup_of(MPI_Comm comm, bool is_sender, int code = MPI_SUCCESS);
/// Collective. Returns a duplicate of `comm` to which the state of intergroup_of is attached. Throws as intergroup_of.
MPI_Comm create_intergroup_comm(MPI_Comm comm, bool is_sender, int code = MPI_SUCCESS);

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
