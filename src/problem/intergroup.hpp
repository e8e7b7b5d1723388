#pragma once

// Inter-group all-to-all broadcast: every receiver gets the block of every sender [Kang19].

#include <string>

#include "problem/block_sizes.hpp"
#include "problem/words.hpp"
#include "topology/groups.hpp"

namespace rondo::problem {

struct Intergroup {
  Groups groups;
  BlockSizes sizes;  ///< the size of each sender's block
  IntraAllgather allgather = IntraAllgather::bruck;
  Broadcast broadcast = Broadcast::binomial;
  Reading reading = Reading::repaired;  ///< how ring_sequences is read
  IntergroupAlgorithm algorithm = IntergroupAlgorithm::group_allgather;
  BuildingBlocks building_blocks = BuildingBlocks::schedule;
  std::string selector = "mpich";  ///< with building blocks of MPI: whose algorithms SMPI takes
  /// k, the most sends and receives of a rank in a round, for bruck, the trees and receiver_allgather; the others use
  /// one port.
  int ports = 1;
};

/// Whether the algorithm is made for groups that lie on a ring, and talks to neighbors there only.
bool on_ring(IntergroupAlgorithm algorithm);
/// Whether the collectives of an MPI library may be the building blocks of the algorithm.
bool has_building_blocks(IntergroupAlgorithm algorithm);

inline Kind kind_of(Intergroup const& /*problem*/) { return Kind::intergroup_allgather; }
inline int ranks_of(Intergroup const& problem) { return problem.groups.ranks(); }

}  // namespace rondo::problem
