#pragma once

// The simulated setup of a combined neighborhood collective, by the distributed program of
// mpi/setup/common_neighbors.hpp.

#include <optional>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "mpi/setup/local_pattern.hpp"
#include "topology/process_graph.hpp"

namespace rondo {

/// The result of the search.
struct NeighborSetup {
  std::vector<mpi::LocalPattern> parts;  ///< by rank: its part of the pattern
  Timing timing;                         ///< of the program that finds the pattern
};

/// Runs Algorithms 1 and 2 of [Mirsadeghi17] as an MPI program on SimGrid/SMPI in which each rank only knows its own
/// neighbors. Unlike generate::common_neighbors, cumulative combining does not fall back to single combining here.
/// If the simulation fails, the outcome has no result but the failure. Throws InputError for theta < 2, and if the
/// platform cannot carry the program.
Outcome<NeighborSetup> simulate_common_neighbors(ProcessGraph const& graph, problem::CommonNeighbors const& options,
                                                 Platform const& platform, EngineOptions const& engine);

}  // namespace rondo
