#pragma once

// A dynamic sparse exchange on the simulated machine, in which every rank only knows its targets. The header names
// nothing of MPI, so that run/ may include it.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "mpi/exchange/core.hpp"
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

}  // namespace rondo
