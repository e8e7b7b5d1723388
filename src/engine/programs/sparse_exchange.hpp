#pragma once

// A dynamic sparse exchange on the simulated machine. Knows no MPI, so that run/ may ask for it.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "mpi/exchange/core.hpp"
#include "topology/process_graph.hpp"

namespace rondo {

/// Exchanges one behind the other, in each of which every edge is a message. No edge is listed twice.
struct SparseTraffic {
  ProcessGraph graph;
  std::vector<int> sizes;  ///< bytes of each edge's message, in the order of the edges, rank by rank
  int exchanges = 1;
};

struct SparseProtocol {
  mpi::ExchangeRules rules = {};
  mpi::Completion completion = mpi::Completion::wait;
};

/// Counted by the ranks as they sent and received; sums over all ranks and exchanges.
struct SparseResult {
  Timing whole;   ///< times all that the ranks do, communicators made and results checked too
  Timing timing;  ///< from the first exchange's begin to the last one's end, without messages and bytes
  std::int64_t data_messages = 0, ack_messages = 0, barrier_messages = 0;
  std::int64_t data_bytes = 0;
  std::int64_t most_sent_bytes = 0;  ///< by one rank
  std::int64_t exchanges = 0;        ///< exchanges of the rank that took part in most
  std::int64_t memory_bytes = 0;     ///< most that a rank held for messages and counts (mpi/exchange/driver.hpp)
  std::vector<std::string> faults;   ///< messages lost, doubled, mixed up or wrong: the first of each rank
};

/// Every rank checks each byte that it receives. Throws InputError as simulate_program does.
Outcome<SparseResult> simulate_sparse_exchange(SparseTraffic const& traffic, SparseProtocol const& protocol,
                                               Platform const& platform, EngineOptions const& options);

}  // namespace rondo
