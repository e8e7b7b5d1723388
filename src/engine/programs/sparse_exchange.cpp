#include "engine/programs/sparse_exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <simgrid/s4u.hpp>

#include "engine/programs/exchange_report.hpp"
#include "mpi/exchange/sparse_exchange.hpp"

namespace rondo {

namespace {

/// The byte at position `at` in the message of an edge, in one of the exchanges. Every message has another content.
std::byte content(std::int64_t edge, int exchange, int at) {
  return static_cast<std::byte>((edge * 31 + std::int64_t{exchange} * 17 + std::int64_t{at} * 13 + (at >> 8)) & 0xff);
}

/// One simulation of dynamic sparse exchanges, in which every rank checks its data.
class ExchangeProgram {
 public:
  ExchangeProgram(SparseTraffic const& traffic, SparseProtocol const& protocol)
      : traffic_(traffic), protocol_(protocol) {}

  void run(MPI_Comm world, std::vector<std::byte>& result) {
    mpi::SparseExchange comm(world, options(world));
    wait_for_all();
    ExchangeReport mine;
    mine.start = MPI_Wtime();
    await_arrival(world);
    for (int exchange = 0; exchange < traffic_.exchanges; ++exchange) {
      pack(comm, exchange);
      comm.exchange();
      std::string const found = receive(comm, exchange);
      if (mine.fault.empty()) mine.fault = found;
    }
    mine.finish = MPI_Wtime();
    mine.counts = comm.counts();
    result = bytes_of(mine);
  }

 private:
  mpi::SparseExchange::Options options(MPI_Comm world) const {
    int const largest = traffic_.sizes.empty() ? 0 : *std::max_element(traffic_.sizes.begin(), traffic_.sizes.end());
    return {exchange_options(protocol_, largest, world)};
  }

  /// Ranks need messages to make their communicators, and so finish this at different times. The barrier takes no
  /// simulated time and lets them start together.
  void wait_for_all() {
    if (!ready_) ready_ = simgrid::s4u::Barrier::create(static_cast<unsigned>(traffic_.graph.ranks()));
    ready_->wait();
  }

  int size(std::int64_t edge) const { return traffic_.sizes[static_cast<std::size_t>(edge)]; }

  void pack(mpi::SparseExchange& comm, int exchange) const {
    std::vector<std::byte> bytes;
    std::int64_t edge = traffic_.graph.first_edge(comm.rank());
    for (Neighbor const& target : traffic_.graph.targets(comm.rank())) {
      bytes.resize(static_cast<std::size_t>(size(edge)));
      for (int at = 0; at < size(edge); ++at) bytes[static_cast<std::size_t>(at)] = content(edge, exchange, at);
      comm.pack_bytes(bytes.data(), bytes.size(), target.rank);
      ++edge;
    }
  }

  /// The number of the edge from this source. The sources of a rank are in ascending order.
  std::int64_t edge_of(Neighbor const& source) const { return traffic_.graph.first_edge(source.rank) + source.slot; }

  /// Reads the messages of one exchange in the order of their sources. Returns the first fault, or "".
  std::string receive(mpi::SparseExchange& comm, int exchange) const {
    auto next = traffic_.graph.sources(comm.rank()).begin();
    auto const end = traffic_.graph.sources(comm.rank()).end();
    // After the announced message of a source, its edges without bytes are not announced separately.
    auto const skip_empty = [&](Rank from) {
      while (next != end && next->rank == from && size(edge_of(*next)) == 0) ++next;
    };
    std::string fault;
    while (comm.receive()) {
      Rank const from = comm.from();
      if (next == end || next->rank != from) {
        // Reads to the next message, whatever this one contains.
        if (comm.has_bytes()) comm.unpack<std::byte>();
        if (fault.empty()) fault = describe(comm, exchange, fmt::format("an unexpected message from {}", from.value));
        continue;
      }
      std::string const found = read(comm, edge_of(*next++), exchange);
      if (fault.empty()) fault = found;
      skip_empty(from);
    }
    if (next != end && fault.empty()) {
      fault = describe(comm, exchange, fmt::format("no message from {}", next->rank.value));
    }
    return fault;
  }

  std::string read(mpi::SparseExchange& comm, std::int64_t edge, int exchange) const {
    std::vector<std::byte> bytes(static_cast<std::size_t>(size(edge)));
    comm.unpack_bytes(bytes.data(), bytes.size());
    for (int at = 0; at < size(edge); ++at) {
      if (bytes[static_cast<std::size_t>(at)] == content(edge, exchange, at)) continue;
      return describe(comm, exchange, fmt::format("a wrong byte {} from {}", at, comm.from().value));
    }
    return "";
  }

  static std::string describe(mpi::SparseExchange const& comm, int exchange, std::string const& what) {
    return fmt::format("rank {}, exchange {}: {}", comm.rank().value, exchange + 1, what);
  }

  SparseTraffic const& traffic_;
  SparseProtocol const& protocol_;
  simgrid::s4u::BarrierPtr ready_;
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
