#pragma once

// Process graphs, or how they are made: points of a sweep are many, and graphs large.

#include <cstdint>
#include <optional>
#include <variant>

#include "topology/graph_text.hpp"
#include "topology/neighborhood.hpp"
#include "topology/process_graph.hpp"
#include "topology/torus.hpp"

namespace rondo::problem {

struct RandomGraph {
  int ranks = 1;
  double density = 0;
  std::uint64_t seed = 1;
};
struct MooreGraph {
  Torus torus;
  int radius = 0;
};
/// Every rank of a torus sends to its neighbors at the same offsets; the dimensions agree.
struct OffsetsGraph {
  Torus torus;
  Neighborhood neighborhood;
};
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
struct HypercubePattern {
  int ranks = 1;
};
struct PowerLaw {
  int ranks = 1;
  double exponent = 2;
  int most = 1;
  std::uint64_t seed = 1;
};

/// A graph that is stated, or how it is made.
using GraphSource = std::variant<RandomGraph, MooreGraph, OffsetsGraph, GeometricGraph, RandomTargets, HypercubePattern,
                                 PowerLaw, WeightedGraph>;

/// A torus of ranks, and the offsets at which each of them has its targets.
struct OnTorus {
  Torus torus;
  Neighborhood neighborhood;
};
bool made_of_torus(GraphSource const& source);
/// Whom the ranks of a graph that is made of a torus send to, an offset for each edge of a rank; unset for any other
/// graph.
std::optional<OnTorus> on_torus(GraphSource const& source);
/// The offsets at which each rank has its sources, with fewest hops.
Neighborhood sources_on_torus(OnTorus const& graph);

int ranks(GraphSource const& source);
/// The graph itself. Throws InputError where it would be too large.
WeightedGraph made(GraphSource const& source);
/// A stated graph, or one that was made already; a ContractViolation for any other.
ProcessGraph const& graph_of(GraphSource const& source);

}  // namespace rondo::problem
