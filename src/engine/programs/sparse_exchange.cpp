#include "engine/programs/sparse_exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <simgrid/s4u.hpp>

#include "engine/programs/exchange_report.hpp"
#include "mpi/exchange/sparse_exchange.hpp"

namespace rondo {

namespace {

/// Byte `at` of the message of an edge in an exchange.
std::byte content(std::int64_t edge, int exchange, int at) {
  return static_cast<std::byte>((edge * 31 + std::int64_t{exchange} * 17 + std::int64_t{at} * 13 + (at >> 8)) & 0xff);
}

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

  /// Making the communicators takes messages, so that ranks have them at different times; they start together.
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

  /// The edge's number of a message to `rank` from each of its sources, who ascend.
  std::int64_t edge_of(Neighbor const& source) const { return traffic_.graph.first_edge(source.rank) + source.slot; }

  std::string receive(mpi::SparseExchange& comm, int exchange) const {
    auto next = traffic_.graph.sources(comm.rank()).begin();
    auto const end = traffic_.graph.sources(comm.rank()).end();
    // Edges without bytes to a rank that has announced its message are not told of by themselves.
    auto const skip_empty = [&](Rank from) {
      while (next != end && next->rank == from && size(edge_of(*next)) == 0) ++next;
    };
    std::string fault;
    while (comm.receive()) {
      Rank const from = comm.from();
      if (next == end || next->rank != from) {
        // Read to the next message, whatever it is.
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
