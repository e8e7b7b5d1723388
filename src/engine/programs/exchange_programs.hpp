#pragma once

// Runs programs of sparse exchanges on the simulated machine. Their ranks check the results. The header uses nothing of
// MPI, so that run/ may include it.

#include <cstdint>
#include <optional>
#include <string>

#include "engine/programs/sparse_exchange.hpp"
#include "problem/programs.hpp"
#include "topology/point_cloud.hpp"
#include "topology/process_graph.hpp"

namespace rondo {

/// Finds a maximal independent set of the ranks, or a coloring of them (mpi/exchange/independent_set.hpp).
struct GraphProgram {
  using Goal = problem::GraphProgram::Goal;
  ProcessGraph graph;  ///< symmetric, each edge once, without self loops
  Goal goal = Goal::coloring;
  std::uint64_t seed = 1;  ///< of the random numbers of all ranks
  int beside = 0;          ///< bytes that each message carries in addition to its own content
};

/// Bisects a point cloud into a part for each rank (mpi/exchange/point_bisection.hpp).
struct CloudProgram {
  PointCloud cloud;
  int ranks = 1;
  int beside = 0;  ///< bytes that each point carries in addition to its own content
};

/// The counts and times of a program, without the check of its result, which comes afterwards.
struct ExchangeProgramResult {
  SparseResult exchanges;
  std::int64_t reductions = 0;          ///< the most reductions and scans in which a rank takes part
  std::int64_t reduction_messages = 0;  ///< their messages, sent by all ranks
  std::optional<std::int64_t> rounds;   ///< rounds of Luby's algorithm
  std::optional<std::int64_t> members;  ///< ranks in the independent set
  std::optional<std::int64_t> colors;
  std::optional<std::int64_t> levels;    ///< levels of the bisection
  std::optional<std::int64_t> smallest;  ///< points of the smallest part
  std::optional<std::int64_t> largest;   ///< points of the largest part
};

/// Simulates the program with this protocol for its exchanges. The members of the result that belong to the other
/// program are unset. Throws InputError as simulate_program does.
Outcome<ExchangeProgramResult> simulate_exchange_program(GraphProgram const& program, SparseProtocol const& protocol,
                                                         Platform const& platform, EngineOptions const& options);
Outcome<ExchangeProgramResult> simulate_exchange_program(CloudProgram const& program, SparseProtocol const& protocol,
                                                         Platform const& platform, EngineOptions const& options);

}  // namespace rondo
