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

/// Each ordered pair of ranks is an edge with probability `density`.
struct RandomGraph {
  int ranks = 1;
  double density = 0;
  std::uint64_t seed = 1;
};
/// All ranks within a radius in the maximum norm.
struct MooreGraph {
  Torus torus;
  int radius = 0;
};
/// Every rank of a torus sends to its neighbors at the same offsets; the dimensions agree.
struct OffsetsGraph {
  Torus torus;
  Neighborhood neighborhood;
};
/// Points in a cube (topology/geometric_graph.hpp).
struct GeometricGraph {
  int ranks = 1;
  double degree = 0;
  std::uint64_t seed = 1;
};
/// Patterns of a sparse exchange (topology/sparse_pattern.hpp).
struct RandomTargets {
  int ranks = 1;
  int targets = 0;
  std::uint64_t seed = 1;
};
/// Ranks whose numbers differ in one bit.
struct HypercubePattern {
  int ranks = 1;
};
/// Numbers of targets follow a power law.
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
bool made_of_torus(GraphSource const& source);
/// The torus and the offsets of a graph that is made from a torus, with one offset for each edge of a rank; unset for
/// any other graph.
std::optional<OnTorus> on_torus(GraphSource const& source);
/// The offsets of the sources of every rank, in the form with the fewest hops.
Neighborhood sources_on_torus(OnTorus const& graph);

int ranks(GraphSource const& source);
/// Makes the graph. Throws InputError if it would be too large.
WeightedGraph made(GraphSource const& source);
/// A graph that was stated or that has been made already. Throws ContractViolation for a rule.
ProcessGraph const& graph_of(GraphSource const& source);

}  // namespace rondo::problem
