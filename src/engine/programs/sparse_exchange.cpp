// Runs sparse exchanges with a payload that depends on edge, exchange and byte, so that lost, doubled and swapped
// messages are found. In programs of sparse exchanges all ranks start together; checks of the results come after the
// timed part.

#include "engine/programs/sparse_exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <simgrid/s4u.hpp>

#include "base/ids.hpp"
#include "engine/programs/exchange_report.hpp"
#include "mpi/exchange/independent_set.hpp"
#include "mpi/exchange/point_bisection.hpp"
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

namespace {

/// The places of a program's results in ExchangeReport::found.
enum Found : std::size_t { reductions, reduction_messages, steps, mine, common };

/// A barrier that takes no simulated time: all ranks start together once each of them is prepared.
class Start {
 public:
  /// Waits for all ranks without simulated messages.
  void together(MPI_Comm world) {
    int ranks = 0;
    MPI_Comm_size(world, &ranks);
    if (!ready_) ready_ = simgrid::s4u::Barrier::create(static_cast<unsigned>(ranks));
    ready_->wait();
  }

 private:
  simgrid::s4u::BarrierPtr ready_;
};

int largest_message(GraphProgram const& program) {
  // The numbers of Luby's algorithm are the largest content: two words of 8 bytes.
  return 16 + program.beside;
}

/// A generator for each rank, from the seed of the program.
Random random_of(std::uint64_t seed, Rank rank) {
  Random seeds(seed);
  return Random(seeds.bits() + static_cast<std::uint64_t>(rank.value) * 0x2545f4914f6cdd1dull);
}

/// Notes the time and the counts of the exchanges so far; checks that follow are not counted.
void close(ExchangeReport& report, mpi::ExchangeCounts const& counts) {
  report.finish = MPI_Wtime();
  report.counts = counts;
}

/// One rank's part of Luby's algorithm or of the coloring, with a check of the result.
ExchangeReport run(GraphProgram const& program, SparseProtocol const& protocol, MPI_Comm world, Start& start) {
  mpi::SparseExchange exchange(world, {exchange_options(protocol, largest_message(program), world)});
  std::vector<Rank> const neighbors = program.graph.distinct_targets(exchange.rank());
  mpi::Reductions ranks(world);
  mpi::Vertex const vertex{exchange, ranks, neighbors, static_cast<std::size_t>(program.beside)};
  Random random = random_of(program.seed, exchange.rank());
  start.together(world);
  ExchangeReport report;
  report.start = MPI_Wtime();
  await_arrival(world);
  if (program.goal == GraphProgram::Goal::independent_set) {
    mpi::IndependentSet const set = mpi::independent_set(vertex, true, random);
    close(report, exchange.counts());
    report.found = {ranks.calls(), ranks.messages(), set.rounds, set.member ? 1 : 0, 0};
    report.fault = mpi::fault_in_set(vertex, set.member);
  } else {
    mpi::Coloring const colored = mpi::coloring(vertex, random);
    close(report, exchange.counts());
    report.found = {ranks.calls(), ranks.messages(), colored.rounds, colored.color, colored.colors};
    report.fault = mpi::fault_in_coloring(vertex, colored.color);
  }
  return report;
}

/// The largest number of bytes that a rank may receive in one message: the points of its part, or the points that
/// another rank held first.
int largest_message(CloudProgram const& program, std::vector<std::vector<CloudPoint>> const& held) {
  std::size_t most = static_cast<std::size_t>(program.cloud.points / program.ranks + 1);
  for (auto const& points : held) most = std::max(most, points.size());
  constexpr std::size_t bytes_of_point = sizeof(CloudPoint) + sizeof(std::int64_t);
  // Every rank has a buffer of this size. Longer messages travel in two parts.
  constexpr std::size_t longest = std::size_t{1} << 20;
  return static_cast<int>(std::min(most * (bytes_of_point + static_cast<std::size_t>(program.beside)), longest));
}

/// One rank's part of the bisection.
ExchangeReport run(CloudProgram const& program, std::vector<CloudPoint> const& before,
                   mpi::SparseExchange::Options const& options, MPI_Comm world, Start& start) {
  mpi::SparseExchange homes(world, options);
  start.together(world);
  ExchangeReport report;
  report.start = MPI_Wtime();
  await_arrival(world);
  mpi::Bisected const bisected = mpi::bisect(world, before, {options, static_cast<std::size_t>(program.beside)});
  close(report, bisected.counts);
  report.found = {bisected.reductions, bisected.reduction_messages, bisected.levels, std::ssize(bisected.points), 0};
  mpi::Reductions ranks(world);
  report.fault = mpi::wrong_in_part(homes, ranks, before, bisected.points);
  return report;
}

std::int64_t most(std::vector<ExchangeReport> const& reports, Found what) {
  std::int64_t result = 0;
  for (ExchangeReport const& report : reports) result = std::max(result, report.found[what]);
  return result;
}

std::int64_t sum(std::vector<ExchangeReport> const& reports, Found what) {
  std::int64_t result = 0;
  for (ExchangeReport const& report : reports) result += report.found[what];
  return result;
}

using Reports = std::vector<ExchangeReport>;

/// Runs a program at all ranks and gathers their reports. `describe` writes the results that only this program has.
template <typename Run, typename Describe>
Outcome<ExchangeProgramResult> simulate(int ranks, Run const& run_rank, Platform const& platform,
                                        EngineOptions const& options, Describe const& describe) {
  Start start;
  Outcome<ProgramRun> const outcome = simulate_program(
      ranks, [&](MPI_Comm world, std::vector<std::byte>& result) { result = bytes_of(run_rank(world, start)); },
      platform, options);
  if (!outcome.result) return {std::nullopt, outcome.failure, outcome.error};
  Reports const reports = reports_of(*outcome.result);
  ExchangeProgramResult result;
  result.exchanges = gathered(*outcome.result);
  result.reductions = most(reports, reductions);
  result.reduction_messages = sum(reports, reduction_messages);
  describe(reports, result);
  return {std::move(result), {}, {}};
}

}  // namespace

Outcome<ExchangeProgramResult> simulate_exchange_program(GraphProgram const& program, SparseProtocol const& protocol,
                                                         Platform const& platform, EngineOptions const& options) {
  auto const run_rank = [&](MPI_Comm world, Start& start) { return run(program, protocol, world, start); };
  auto const describe = [&](Reports const& reports, ExchangeProgramResult& result) {
    result.rounds = most(reports, steps);
    if (program.goal == GraphProgram::Goal::coloring) {
      result.colors = most(reports, common);
      return;
    }
    result.members = sum(reports, mine);
  };
  return simulate(program.graph.ranks(), run_rank, platform, options, describe);
}

Outcome<ExchangeProgramResult> simulate_exchange_program(CloudProgram const& program, SparseProtocol const& protocol,
                                                         Platform const& platform, EngineOptions const& options) {
  auto const held = points_of(program.cloud, program.ranks);
  int const largest = largest_message(program, held);
  auto const run_rank = [&](MPI_Comm world, Start& start) {
    int rank = 0;
    MPI_Comm_rank(world, &rank);
    mpi::SparseExchange::Options const exchange{exchange_options(protocol, largest, world)};
    return run(program, held[static_cast<std::size_t>(rank)], exchange, world, start);
  };
  auto const describe = [&](Reports const& reports, ExchangeProgramResult& result) {
    result.levels = most(reports, steps);
    result.largest = most(reports, mine);
    result.smallest = *result.largest;
    for (ExchangeReport const& report : reports) result.smallest = std::min(*result.smallest, report.found[mine]);
  };
  return simulate(program.ranks, run_rank, platform, options, describe);
}

}  // namespace rondo
