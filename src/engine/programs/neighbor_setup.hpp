#pragma once

// The setup of a combined neighborhood collective, simulated: the distributed program of
// mpi/setup/common_neighbors.hpp.

#include <optional>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "mpi/setup/local_pattern.hpp"
#include "topology/process_graph.hpp"

namespace rondo {

struct NeighborSetup {
  std::vector<mpi::LocalPattern> parts;  ///< each rank's part of the pattern
  Timing timing;
};

/// Runs Algorithms 1 and 2 of [Mirsadeghi17] as an MPI program on SimGrid/SMPI in which each rank knows its own
/// neighbors only. Cumulative combining does not fall back to single here as generate::common_neighbors does.
/// Throws InputError for theta < 2 and when the platform cannot carry it.
Outcome<NeighborSetup> simulate_common_neighbors(ProcessGraph const& graph, problem::CommonNeighbors const& options,
                                                 Platform const& platform, EngineOptions const& engine);

}  // namespace rondo
