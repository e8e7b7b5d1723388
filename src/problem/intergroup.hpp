#pragma once

// Collectives between two groups of ranks: all-to-all broadcast, where every receiver gets the block of every sender
// [Kang19], and on tori exchange, gather, scatter and reduce too.

#include <optional>
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
  IntergroupCollective collective = IntergroupCollective::allgather;
  /// For torus_rings: the torus on which the ranks lie, row by row, so that the senders are the first places along the
  /// first dimension. Unset: a ring.
  std::optional<Torus> torus = {};
};

/// Whether the algorithm is made for groups that lie on a ring, and talks to neighbors there only, a block a message.
bool on_ring(IntergroupAlgorithm algorithm);
/// Whether the algorithm talks to neighbors only, on a ring or on a torus.
bool unit_links(IntergroupAlgorithm algorithm);
/// The torus, or ring, on which the ranks lie.
Torus torus_of(Intergroup const& problem);
/// Throws InputError where the algorithm is not made for such groups.
void expect_groups(Intergroup const& problem);
/// Whether the collectives of an MPI library may be the building blocks of the algorithm.
bool has_building_blocks(IntergroupAlgorithm algorithm);

inline Kind kind_of(Intergroup const& problem) { return kind_of(problem.collective); }
inline int ranks_of(Intergroup const& problem) { return problem.groups.ranks(); }

}  // namespace rondo::problem
