// Runs sparse exchanges with a payload that depends on edge, exchange and byte, so that lost, doubled and swapped
// messages are found.

#include "engine/programs/sparse_exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <simgrid/s4u.hpp>

#include "base/index.hpp"
#include "engine/programs/exchange_report.hpp"
#include "mpi/exchange/sparse_exchange.hpp"

namespace rondo {

namespace {

/// The byte at `position` of the message of an edge. The factors are odd, so the messages of two edges, or of two
/// exchanges, whose numbers differ by less than 256 differ in every byte: a message that was swapped or repeated is
/// noticed. The last term distinguishes bytes that are 256 apart.
std::byte content(std::int64_t edge, int exchange, int position) {
  return static_cast<std::byte>(
      (edge * 31 + std::int64_t{exchange} * 17 + std::int64_t{position} * 13 + (position >> 8)) & 0xff);
}

/// One simulation of dynamic sparse exchanges, in which every rank checks its data. One object serves all ranks, which
/// are actors of one process.
class ExchangeProgram {
 public:
  ExchangeProgram(SparseTraffic const& traffic, SparseProtocol const& protocol)
      : traffic_(traffic), protocol_(protocol) {}

  /// One rank's exchanges, and the check of what it received.
  void run(MPI_Comm world, std::vector<std::byte>& result) {
    mpi::SparseExchange exchanger(world, options(world));
    wait_for_all();
    ExchangeReport mine;
    mine.start = MPI_Wtime();
    // A rank that arrives late starts on time: its delay is part of the measured time.
    await_arrival(world);
    for (int number = 0; number < traffic_.exchanges; ++number) {
      pack(exchanger, number);
      exchanger.exchange();
      std::string const found = receive(exchanger, number);
      if (mine.fault.empty()) mine.fault = found;
    }
    mine.finish = MPI_Wtime();
    mine.counts = exchanger.counts();
    result = bytes_of(mine);
  }

 private:
  mpi::SparseExchange::Options options(MPI_Comm world) const {
    int const largest = traffic_.sizes.empty() ? 0 : *std::max_element(traffic_.sizes.begin(), traffic_.sizes.end());
    return {exchange_options(protocol_, largest, world)};
  }

  /// Making the communicators sends messages, so ranks finish it at different times. This barrier takes no simulated
  /// time and lets them start together.
  void wait_for_all() {
    if (!ready_) ready_ = simgrid::s4u::Barrier::create(static_cast<unsigned>(traffic_.graph.ranks()));
    ready_->wait();
  }

  int size(std::int64_t edge) const { return traffic_.sizes[at(edge)]; }

  /// Packs a message for each edge; its bytes depend on the edge and the number of the exchange.
  void pack(mpi::SparseExchange& exchanger, int exchange) const {
    std::vector<std::byte> bytes;
    std::int64_t edge = traffic_.graph.first_edge(exchanger.rank());
    for (Neighbor const& target : traffic_.graph.targets(exchanger.rank())) {
      bytes.resize(at(size(edge)));
      for (int i = 0; i < size(edge); ++i) bytes[at(i)] = content(edge, exchange, i);
      exchanger.pack_bytes(bytes.data(), bytes.size(), target.rank);
      ++edge;
    }
  }

  /// The number of the edge from this source. The sources of a rank are in ascending order.
  std::int64_t edge_of(Neighbor const& source) const { return traffic_.graph.first_edge(source.rank) + source.slot; }

  /// Reads the messages of one exchange in the order of their sources. Returns the first fault, or "".
  std::string receive(mpi::SparseExchange& exchanger, int exchange) const {
    auto next = traffic_.graph.sources(exchanger.rank()).begin();
    auto const end = traffic_.graph.sources(exchanger.rank()).end();
    std::string fault;
    while (exchanger.receive()) {
      Rank const from = exchanger.from();
      if (next == end || next->rank != from) {
        // Skips a byte of the unexpected message. receive() stays true while it has bytes left.
        if (exchanger.has_bytes()) exchanger.unpack<std::byte>();
        if (fault.empty()) {
          fault = fault_text(exchanger, exchange, fmt::format("an unexpected message from rank {}", from.value));
        }
        continue;
      }
      std::string const found = read(exchanger, edge_of(*next++), exchange);
      if (fault.empty()) fault = found;
    }
    if (next != end && fault.empty()) {
      fault = fault_text(exchanger, exchange, fmt::format("no message from rank {}", next->rank.value));
    }
    return fault;
  }

  /// What is wrong with a message; empty if nothing.
  std::string read(mpi::SparseExchange& exchanger, std::int64_t edge, int exchange) const {
    std::vector<std::byte> bytes(at(size(edge)));
    exchanger.unpack_bytes(bytes.data(), bytes.size());
    for (int i = 0; i < size(edge); ++i) {
      if (bytes[at(i)] == content(edge, exchange, i)) continue;
      return fault_text(exchanger, exchange,
                        fmt::format("byte {} of the message from rank {} is wrong", i, exchanger.from().value));
    }
    return "";
  }

  static std::string fault_text(mpi::SparseExchange const& exchanger, int exchange, std::string const& what) {
    return fmt::format("rank {}, exchange {}: {}", exchanger.rank().value, exchange + 1, what);
  }

  SparseTraffic const& traffic_;
  SparseProtocol const& protocol_;
  simgrid::s4u::BarrierPtr ready_;  ///< shared by all ranks; made by the first one, when SimGrid runs
};

}  // namespace

Outcome<SparseResult> simulate_sparse_exchange(SparseTraffic const& traffic, SparseProtocol const& protocol,
                                               Platform const& platform, EngineOptions const& options) {
  ExchangeProgram program(traffic, protocol);
  Outcome<ProgramRun> const outcome = simulate_program(
      traffic.graph.ranks(), [&](MPI_Comm world, std::vector<std::byte>& result) { program.run(world, result); },
      platform, options);
  if (!outcome.result) return {std::nullopt, outcome.failure, outcome.error};
  return {gathered(*outcome.result), {}, {}};
}

}  // namespace rondo
