#pragma once

// All-to-all and allgather on an isomorphic neighborhood of a torus or mesh [Traeff16].

#include <vector>

#include "problem/block_sizes.hpp"
#include "problem/enums.hpp"
#include "topology/neighborhood.hpp"
#include "topology/torus.hpp"

namespace rondo::problem {

/// The order in which blocks correct their dimensions: a rule that finds it, or the order itself.
struct DimensionOrder {
  OrderRule rule = OrderRule::given;
  std::vector<int> stated = {};  ///< for OrderRule::stated: a permutation of 0 .. d-1
};

/// A collective in which every rank of a torus has neighbors at the same offsets. Torus and neighborhood have the same
/// number of dimensions.
struct Isomorphic {
  NeighborCollective collective = NeighborCollective::alltoall;
  Torus torus;
  Neighborhood neighborhood;  ///< the offsets of the promise; blocks travel along routed()
  BlockSizes sizes;           ///< in allgather all blocks have one size
  IsomorphicAlgorithm algorithm = IsomorphicAlgorithm::dimension_wise;
  DimensionOrder dimension_order = {};
  bool shortest_wrap = false;  ///< whether blocks take the offsets modulo closed extents that need fewest rounds
  Boundary boundary = Boundary::periodic;  ///< which dimensions close; the reader sets open on a mesh machine
  /// How Algorithm 1 of the paper (an all-to-all by `torus`) is read. The printed text has two errors. It reads a block
  /// from the send buffer on every hop along its first dimension; after the first hop the rank sends its own block
  /// again instead of the one that arrived. And it does not copy the block that a rank has for itself.
  Reading reading = Reading::repaired;
  /// The additive basis for the algorithm `basis`; if empty, decomposition/additive_basis.hpp searches for one.
  std::vector<std::vector<int>> basis = {};
  int ports = 1;  ///< k: a rank posts at most k sends and k receives in a round; 0: unlimited
};

/// The offsets along which blocks travel: the given ones that fit the torus, wrapped if the problem asks for it.
Neighborhood routed(Isomorphic const& problem);
/// The order of dimensions by the rule of the problem. The rule `best` counts the hops of the problem's algorithm,
/// which are direct for `direct` and single for the others.
std::vector<int> dimension_order(Isomorphic const& problem);
/// Whether the algorithm promises that messages pass only between immediate neighbors.
bool unit_links(IsomorphicAlgorithm algorithm);

inline Kind kind_of(Isomorphic const& problem) {
  return problem.collective == NeighborCollective::alltoall ? Kind::isomorphic_alltoall : Kind::isomorphic_allgather;
}
inline int ranks_of(Isomorphic const& problem) { return problem.torus.size(); }

}  // namespace rondo::problem
