#pragma once

// All-to-all and allgather on an isomorphic neighborhood of a torus or mesh [Traeff16].

#include <vector>

#include "problem/block_sizes.hpp"
#include "problem/words.hpp"
#include "topology/mesh.hpp"
#include "topology/neighborhood.hpp"
#include "topology/torus.hpp"

namespace rondo::problem {

struct DimensionOrder {
  OrderRule rule = OrderRule::given;
  std::vector<int> stated = {};  ///< a permutation of 0 .. d-1
};

/// The neighbors of every rank of a torus, what they get, and how. The dimensions of torus and neighborhood agree.
struct Isomorphic {
  NeighborCollective collective = NeighborCollective::alltoall;
  Torus torus;
  Neighborhood neighborhood;  ///< what is promised
  BlockSizes sizes;           ///< in allgather all blocks have one size
  IsomorphicAlgorithm algorithm = IsomorphicAlgorithm::dimension_wise;
  DimensionOrder dimension_order = {};
  bool shortest_wrap = false;              ///< take offsets modulo closed extents so that fewest rounds are needed
  Boundary boundary = Boundary::periodic;  ///< which dimensions close; open on a mesh machine
  /// How Algorithm 1 (an all-to-all by `torus`) is read. Printed, a block is read from the send buffer on every hop
  /// along its first dimension: where that takes more than one, the rank sends its own block again instead of the one
  /// that came.
  Reading reading = Reading::repaired;
  /// The additive basis that `basis` uses; empty: decomposition/additive_basis.hpp looks for one.
  std::vector<std::vector<int>> basis = {};
  int ports = 1;  ///< k, the most sends and receives a rank posts in a round; 0: unlimited
};

/// The offsets that blocks travel: the given ones that fit, wrapped where that is asked for.
Neighborhood routed(Isomorphic const& problem);
/// The order that the problem asks for, where blocks move as its algorithm moves them.
std::vector<int> dimension_order(Isomorphic const& problem);
/// Whether the algorithm promises messages between immediate neighbors only.
bool unit_links(IsomorphicAlgorithm algorithm);

inline Kind kind_of(Isomorphic const& problem) {
  return problem.collective == NeighborCollective::alltoall ? Kind::isomorphic_alltoall : Kind::isomorphic_allgather;
}
inline int ranks_of(Isomorphic const& problem) { return problem.torus.size(); }

}  // namespace rondo::problem
