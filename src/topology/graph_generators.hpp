#pragma once

// Process graphs that resemble the communication of applications. Geometric graphs resemble the parts of a mesh in a
// simulation, in which each part exchanges data with the parts beside it. The patterns of sparse exchanges have
// targets that are distinct and exclude the rank itself.

#include <cstdint>

#include "topology/process_graph.hpp"

namespace rondo {

/// A random geometric graph. Ranks are points drawn uniformly from the unit cube with Random(seed), three coordinates
/// for each rank. Two ranks within a distance r are neighbors in both directions, where (ranks - 1) * 4/3 pi r^3 =
/// degree; so degree is the mean number of neighbors away from the faces of the cube. Targets ascend. Throws InputError
/// for a negative degree, and for more than most_edges edges.
ProcessGraph geometric(int ranks, double degree, std::uint64_t seed);

/// Every edge in both directions, each once, sorted by source and target, without self loops.
ProcessGraph symmetric(ProcessGraph const& graph);

/// Each rank has `targets` others, drawn uniformly with Random(seed), rank by rank. Throws InputError if there are not
/// enough.
ProcessGraph random_targets(int ranks, int targets, std::uint64_t seed);

/// The targets are rank xor 2^i for every i. If `ranks` is no power of two, ranks that do not exist are left out.
ProcessGraph hypercube(int ranks);

/// Each rank has 1 to `most` targets: t of them with a probability proportional to t^-exponent, drawn uniformly from
/// all others. Throws InputError unless 1 <= most < ranks, or ranks = 1, because a single rank has no targets.
ProcessGraph powerlaw(int ranks, double exponent, int most, std::uint64_t seed);

/// The edges of the graph, each once, sorted by source and target. Self loops are kept.
ProcessGraph distinct(ProcessGraph const& graph);

}  // namespace rondo
