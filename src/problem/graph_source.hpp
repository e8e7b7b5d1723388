#pragma once

// Process graphs, either stated or as rules by which they are made. Problems hold the rules, because a sweep has
// many points and graphs are large.

#include <cstdint>
#include <optional>
#include <variant>

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
/// away from the faces of the cube (topology/geometric_graph.hpp).
struct GeometricGraph {
  int ranks = 1;
  double degree = 0;
  std::uint64_t seed = 1;
};

// Patterns of sparse exchanges (topology/sparse_pattern.hpp).

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

}  // namespace rondo::problem
