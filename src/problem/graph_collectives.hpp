#pragma once

// Collectives on a process graph that are carried out by a schedule: neighborhood collectives, reductions and rooted
// collectives. Their graph is either stated or given as a rule by which it is made. Problems hold the rules, because
// a sweep has many points and graphs are large.

#include <cstdint>
#include <optional>
#include <variant>

#include "problem/block_sizes.hpp"
#include "problem/enums.hpp"
#include "topology/graph_text.hpp"
#include "topology/neighborhood.hpp"
#include "topology/process_graph.hpp"
#include "topology/torus.hpp"

namespace rondo::problem {

/// Each ordered pair of different ranks is an edge with probability `density`.
struct RandomGraph {
  int ranks = 1;
  double density = 0;
  std::uint64_t seed = 1;
};
/// Every rank of a torus sends to all others within a radius in the maximum norm.
struct MooreGraph {
  Torus torus;
  int radius = 0;
};
/// Every rank of a torus sends to its neighbors at the same offsets. Torus and neighborhood have the same number of
/// dimensions.
struct OffsetsGraph {
  Torus torus;
  Neighborhood neighborhood;
};
/// Ranks are random points in a cube, and each is a neighbor of those near it. `degree` is the mean number of neighbors
/// away from the faces of the cube (topology/graph_generators.hpp).
struct GeometricGraph {
  int ranks = 1;
  double degree = 0;
  std::uint64_t seed = 1;
};

// Patterns of sparse exchanges (topology/graph_generators.hpp).

/// Each rank sends to `targets` ranks, drawn uniformly from all others.
struct RandomTargets {
  int ranks = 1;
  int targets = 0;
  std::uint64_t seed = 1;
};
/// Each rank sends to the ranks whose numbers differ from its own in one bit.
struct HypercubePattern {
  int ranks = 1;
};
/// Each rank sends to 1 to `most` ranks: to t of them with a probability proportional to t^-exponent.
struct PowerLaw {
  int ranks = 1;
  double exponent = 2;
  int most = 1;
  std::uint64_t seed = 1;
};

/// A stated graph, or a rule by which one is made.
using GraphSource = std::variant<RandomGraph, MooreGraph, OffsetsGraph, GeometricGraph, RandomTargets, HypercubePattern,
                                 PowerLaw, WeightedGraph>;

/// A torus of ranks, and the offsets of the targets of every rank.
struct OnTorus {
  Torus torus;
  Neighborhood neighborhood;
};
/// Whether the graph is made from a torus: an OffsetsGraph or a MooreGraph.
bool made_of_torus(GraphSource const& source);
/// The torus and the offsets of a graph that is made from a torus, with one offset for each edge of a rank; unset for
/// any other graph.
std::optional<OnTorus> on_torus(GraphSource const& source);
/// The offsets of the sources of every rank, in the form with the fewest hops.
Neighborhood sources_on_torus(OnTorus const& graph);

/// The number of ranks, which is known without making the graph.
int ranks(GraphSource const& source);
/// Makes the graph by its rule, or returns the stated one. Throws InputError if the graph would be too large, or if the
/// generator in topology/ refuses the numbers of the rule.
WeightedGraph made(GraphSource const& source);
/// A graph that was stated or that has been made already. Throws ContractViolation for a rule.
ProcessGraph const& graph_of(GraphSource const& source);

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

/// A reduction or rooted collective on a process graph (topology/process_graph.hpp). Reductions may combine
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
