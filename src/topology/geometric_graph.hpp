#pragma once

// Graphs that look like the parts of a mesh, each with the parts beside it.

#include <cstdint>

#include "topology/process_graph.hpp"

namespace rondo {

/// A random geometric graph: ranks are points drawn uniformly in the unit cube with Random(seed), three coordinates a
/// rank, and each two within a distance r of each other are neighbors both ways, where (ranks - 1) * 4/3 pi r^3 =
/// degree: the mean number of neighbors away from the cube's faces. Targets ascend. Throws InputError on a negative
/// degree and past most_edges.
ProcessGraph geometric(int ranks, double degree, std::uint64_t seed);

/// Every edge both ways, each once, by source and target; without self loops.
ProcessGraph symmetric(ProcessGraph const& graph);

}  // namespace rondo
