#pragma once

// All-to-all and allgather on an isomorphic neighborhood of a torus or mesh [Traeff16].

#include <vector>

#include "problem/block_sizes.hpp"
#include "problem/enums.hpp"
#include "topology/mesh.hpp"
#include "topology/neighborhood.hpp"
#include "topology/torus.hpp"

namespace rondo::problem {

/// A rule, or a stated order.
struct DimensionOrder {
  OrderRule rule = OrderRule::given;
  std::vector<int> stated = {};  ///< a permutation of 0 .. d-1
};

/// A collective in which every rank of a torus has neighbors at the same offsets. Torus and neighborhood have the same
/// number of dimensions.
struct Isomorphic {
  NeighborCollective collective = NeighborCollective::alltoall;
  Torus torus;
  Neighborhood neighborhood;  ///< what is promised
  BlockSizes sizes;           ///< in allgather all blocks have one size
  IsomorphicAlgorithm algorithm = IsomorphicAlgorithm::dimension_wise;
  DimensionOrder dimension_order = {};
  bool shortest_wrap = false;              ///< take offsets modulo closed extents so that fewest rounds are needed
  Boundary boundary = Boundary::periodic;  ///< which dimensions close; open on a mesh machine
  /// How Algorithm 1 of the paper (an all-to-all by `torus`) is read. As printed, a block is read from the send buffer
  /// on every hop along its first dimension; if it takes more than one hop there, the rank sends its own block again
  /// instead of the one that arrived.
  Reading reading = Reading::repaired;
  /// The additive basis for the algorithm `basis`; if empty, decomposition/additive_basis.hpp searches for one.
  std::vector<std::vector<int>> basis = {};
  int ports = 1;  ///< k, the most sends and receives a rank posts in a round; 0: unlimited
};

/// The offsets along which blocks travel: the given ones that fit the torus, wrapped if the problem asks for it.
Neighborhood routed(Isomorphic const& problem);
/// The order of dimensions that the problem asks for, applied to the way in which its algorithm moves blocks.
std::vector<int> dimension_order(Isomorphic const& problem);
/// Whether the algorithm promises that messages pass only between immediate neighbors.
bool unit_links(IsomorphicAlgorithm algorithm);

inline Kind kind_of(Isomorphic const& problem) {
  return problem.collective == NeighborCollective::alltoall ? Kind::isomorphic_alltoall : Kind::isomorphic_allgather;
}
inline int ranks_of(Isomorphic const& problem) { return problem.torus.size(); }

}  // namespace rondo::problem
