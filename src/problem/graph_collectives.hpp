#pragma once

// Collectives on a process graph that are carried out by a schedule: neighborhood collectives, reductions and rooted
// collectives.

#include "problem/block_sizes.hpp"
#include "problem/enums.hpp"
#include "problem/graph_source.hpp"

namespace rondo::problem {

/// Whether the messages for one neighbor may be combined in one iteration only, or again in later ones.
enum class Combining : std::uint8_t { single, cumulative };

/// Options of combining messages for common neighbors [Mirsadeghi17] (generate/common_neighbors.hpp).
struct CommonNeighbors {
  int theta = 4;  ///< two ranks are friends if they have at least so many common neighbors; at least 2, because with
                  ///< one common neighbor the messages of a pair to each other cost more than they save
  FriendTie tie = FriendTie::highest;
  Suitors suitors = Suitors::literal;
  Half half = Half::floor;
  Combining combining = Combining::single;
};

/// Every rank sends along each of its edges the same block (MPI_Neighbor_allgather), or a different one
/// (MPI_Neighbor_alltoall).
struct Neighbor {
  NeighborCollective collective = NeighborCollective::allgather;
  GraphSource graph;
  BlockSizes sizes;  ///< if they differ, one for each rank in an allgather, and one for each edge in an alltoall
  NeighborAlgorithm algorithm = NeighborAlgorithm::naive;
  CommonNeighbors options = {};  ///< for common_neighbors
  /// Whether the schedule is built once, in the first call. Otherwise every call takes the time for building it.
  bool persistent = true;
  /// The simulated time for building a schedule of combined messages, divided by the square of the number of messages
  /// that the busiest rank sends and receives. scenarios/README.md compares it with Tables I and II of [Mirsadeghi17].
  /// Building a naive schedule takes no time, as in that paper ("almost no overhead").
  Seconds build_cost{6e-9};
  bool setup = true;  ///< whether the distributed algorithm that finds the pattern is simulated too, if the engine can
};

/// A reduction or rooted collective on a process graph (topology/sparse_collective.hpp). Reductions may combine
/// messages: by dimension_wise if the graph is made from a torus, and an allreduce also by common_neighbors.
struct SparseOnGraph {
  SparseCollective collective = SparseCollective::allreduce;
  GraphSource graph;
  int root = 0;    ///< only of a rooted collective
  Bytes block{0};  ///< all blocks have this size
  NeighborAlgorithm algorithm = NeighborAlgorithm::naive;
  CommonNeighbors options = {};       ///< for common_neighbors
  std::optional<OnTorus> torus = {};  ///< for dimension_wise: what the graph is made of
  int ports = 1;                      ///< for dimension_wise: k, the most messages each way in a round
};
/// The problem as the neighborhood collective on the edges that it uses; its graph must have been made. A scatter has a
/// block for each edge, all others have one for each rank. The blocks that arrive at a rank in a reduction are joined,
/// which takes no time.
Neighbor as_neighborhood(SparseOnGraph const& problem);

inline Kind kind_of(Neighbor const& problem) {
  return problem.collective == NeighborCollective::alltoall ? Kind::neighbor_alltoall : Kind::neighbor_allgather;
}
inline Kind kind_of(SparseOnGraph const& problem) { return kind_of(problem.collective); }

}  // namespace rondo::problem
