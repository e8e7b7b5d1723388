#pragma once

// Dynamic sparse exchanges on the simulated machine, in which every rank only knows its targets: exchanges of given
// messages, and programs that consist of such exchanges and whose ranks check the results. The header names nothing
// of MPI, so that run/ may include it.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "mpi/exchange/core.hpp"
#include "problem/programs.hpp"
#include "topology/point_cloud.hpp"
#include "topology/process_graph.hpp"

namespace rondo {

/// Exchanges that follow one another. In each of them every edge of the graph is a message. No edge is listed twice.
struct SparseTraffic {
  ProcessGraph graph;
  std::vector<int> sizes;  ///< bytes of each edge's message, in the order of the edges, rank by rank
  int exchanges = 1;
};

/// How an exchange is carried out.
struct SparseProtocol {
  mpi::ExchangeRules rules = {};
  mpi::Completion completion = mpi::Completion::wait;
};

/// Counted by the ranks as they sent and received. The counts are sums over all ranks and exchanges.
struct SparseResult {
  Timing whole;   ///< of all that the ranks do, including the making of communicators and the checks
  Timing timing;  ///< from the begin of the first exchange to the end of the last one, without messages and bytes
  std::int64_t data_messages = 0, ack_messages = 0, barrier_messages = 0;
  std::int64_t data_bytes = 0;
  std::int64_t most_sent_bytes = 0;  ///< by the rank that sends the most
  std::int64_t exchanges = 0;        ///< of the rank that took part in most
  std::int64_t memory_bytes = 0;     ///< the most that a rank held for messages and counts (mpi/exchange/driver.hpp)
  std::vector<std::string> faults;   ///< lost, doubled, confused or wrong messages: the first fault of each rank
};

/// Every rank checks every byte that it receives. Throws InputError as simulate_program does.
Outcome<SparseResult> simulate_sparse_exchange(SparseTraffic const& traffic, SparseProtocol const& protocol,
                                               Platform const& platform, EngineOptions const& options);

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
