#pragma once

// Graphs that resemble the parts of a mesh in a simulation, in which each part exchanges data with the parts beside it.

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

}  // namespace rondo
