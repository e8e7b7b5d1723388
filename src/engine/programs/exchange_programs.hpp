#pragma once

// Programs of sparse exchanges on the simulated machine, whose results every rank checks. Knows no MPI, so that run/
// may ask for them.

#include <cstdint>
#include <optional>
#include <string>

#include "engine/programs/sparse_exchange.hpp"
#include "problem/programs.hpp"
#include "topology/point_cloud.hpp"
#include "topology/process_graph.hpp"

namespace rondo {

/// A maximal independent set of the ranks, or a coloring of them (mpi/exchange/independent_set.hpp).
struct GraphProgram {
  using Goal = problem::GraphProgram::Goal;
  ProcessGraph graph;  ///< symmetric, each edge once, without self loops
  Goal goal = Goal::coloring;
  std::uint64_t seed = 1;
  int beside = 0;  ///< bytes beside a message's own
};

/// The bisection of a point cloud into a part for each rank (mpi/exchange/point_bisection.hpp).
struct CloudProgram {
  PointCloud cloud;
  int ranks = 1;
  int beside = 0;  ///< bytes beside a point's own
};

/// What is timed and counted ends before the ranks check what they have.
struct ExchangeProgramResult {
  SparseResult exchanges;
  std::int64_t reductions = 0;          ///< reductions and scans that a rank takes part in
  std::int64_t reduction_messages = 0;  ///< messages of these, sent by all ranks
  std::optional<std::int64_t> rounds;   ///< rounds of Luby's algorithm
  std::optional<std::int64_t> members;  ///< ranks in the independent set
  std::optional<std::int64_t> colors;
  std::optional<std::int64_t> levels;    ///< levels of the bisection
  std::optional<std::int64_t> smallest;  ///< points of a part
  std::optional<std::int64_t> largest;
};

/// Throw InputError as simulate_program does.
Outcome<ExchangeProgramResult> simulate_exchange_program(GraphProgram const& program, SparseProtocol const& protocol,
                                                         Platform const& platform, EngineOptions const& options);
Outcome<ExchangeProgramResult> simulate_exchange_program(CloudProgram const& program, SparseProtocol const& protocol,
                                                         Platform const& platform, EngineOptions const& options);

}  // namespace rondo
