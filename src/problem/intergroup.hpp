#pragma once

// Collectives between two groups of ranks: all-to-all broadcast, in which every receiver gets the block of every
// sender [Kang19], and on tori also exchange, gather, scatter and reduce.

#include <optional>
#include <string>

#include "problem/block_sizes.hpp"
#include "problem/enums.hpp"
#include "topology/groups.hpp"

namespace rondo::problem {

/// A collective between two groups.
struct Intergroup {
  Groups groups;
  BlockSizes sizes;  ///< the size of each sender's block
  IntraAllgather allgather = IntraAllgather::bruck;
  Broadcast broadcast = Broadcast::binomial;
  Reading reading = Reading::repaired;  ///< how ring_sequences is read
  IntergroupAlgorithm algorithm = IntergroupAlgorithm::group_allgather;
  BuildingBlocks building_blocks = BuildingBlocks::schedule;
  std::string selector = "mpich";  ///< with building blocks of MPI: whose algorithms SMPI takes
  /// k, the most sends and receives of a rank in a round. bruck, the trees and receiver_allgather use k ports, the
  /// others use one.
  int ports = 1;
  IntergroupCollective collective = IntergroupCollective::allgather;
  /// For torus_rings: the torus on which the ranks lie, row by row; the senders have the first places along the first
  /// dimension. Unset: a ring.
  std::optional<Torus> torus = {};
};

/// Whether the algorithm is for groups that lie on a ring, on which ranks talk only to neighbors, with one block per
/// message.
bool on_ring(IntergroupAlgorithm algorithm);
/// Whether ranks talk only to neighbors on a ring or on a torus.
bool unit_links(IntergroupAlgorithm algorithm);
/// The torus, or ring, on which the ranks lie.
Torus torus_of(Intergroup const& problem);
/// Throws InputError if the algorithm is not for groups of these sizes.
void expect_groups(Intergroup const& problem);
/// Whether the algorithm can be built from the collectives of an MPI library.
bool has_building_blocks(IntergroupAlgorithm algorithm);

inline Kind kind_of(Intergroup const& problem) { return kind_of(problem.collective); }
inline int ranks_of(Intergroup const& problem) { return problem.groups.ranks(); }

}  // namespace rondo::problem
