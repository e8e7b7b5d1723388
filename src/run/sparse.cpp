// Sparse exchanges: programs, which have counts and times but no schedule and no rounds.

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/random.hpp"
#include "engine/sparse_exchange.hpp"
#include "run/family.hpp"
#include "theory/sparse_exchange.hpp"
#include "topology/sparse_pattern.hpp"

namespace rondo {
namespace {

using scenario::Scenario;
using scenario::SparseExchangeProblem;

ProcessGraph made(scenario::RandomTargets const& pattern, std::uint64_t seed) {
  return random_targets(pattern.ranks, pattern.targets, seed);
}
ProcessGraph made(scenario::HypercubePattern const& pattern, std::uint64_t /*seed*/) {
  return hypercube(pattern.ranks);
}
ProcessGraph made(scenario::PowerLaw const& pattern, std::uint64_t seed) {
  return powerlaw(pattern.ranks, pattern.exponent, pattern.most, seed);
}
ProcessGraph made(scenario::MooreGraph const& pattern, std::uint64_t /*seed*/) {
  return moore(pattern.torus, pattern.radius);
}
ProcessGraph made(ProcessGraph const& edges, std::uint64_t /*seed*/) { return distinct(edges); }

ProcessGraph graph_of(SparseExchangeProblem const& problem, Scenario const& scenario) {
  try {
    return std::visit([&](auto const& pattern) { return made(pattern, scenario.seed); }, problem.pattern);
  } catch (InputError const& refused) {
    throw InputError(fmt::format("/collective/pattern: {}", refused.what()));
  }
}

SparseTraffic traffic_of(SparseExchangeProblem const& problem, Scenario const& scenario) {
  SparseTraffic traffic{graph_of(problem, scenario), {}, problem.exchanges};
  Random random(~scenario.seed);  // other numbers than those of the pattern
  std::int64_t const least = scenario.block.value;
  std::int64_t const most = problem.largest_block.value_or(scenario.block).value;
  for (std::int64_t edge = 0; edge < traffic.graph.edges(); ++edge) {
    traffic.sizes.push_back(static_cast<int>(random.between(least, most)));
  }
  return traffic;
}

SparseProtocol protocol_of(SparseExchangeProblem const& problem) {
  SparseProtocol protocol;
  switch (problem.algorithm) {
    case scenario::SparseAlgorithm::nbx:
      protocol.rules.algorithm = mpi::ExchangeAlgorithm::nbx;
      break;
    case scenario::SparseAlgorithm::nbx_tagged:
      protocol.rules.algorithm = mpi::ExchangeAlgorithm::nbx_tagged;
      break;
    case scenario::SparseAlgorithm::personalized:
      protocol.rules.algorithm = mpi::ExchangeAlgorithm::personalized;
      break;
  }
  bool const tree = problem.barrier == scenario::SparseBarrier::tree;
  protocol.rules.barrier = tree ? mpi::Signalling::tree : mpi::Signalling::dissemination;
  bool const polls = problem.completion == scenario::Completion::poll;
  protocol.completion = polls ? mpi::Completion::poll : mpi::Completion::wait;
  return protocol;
}

theory::SparseAlgorithm theory_algorithm(scenario::SparseAlgorithm algorithm) {
  switch (algorithm) {
    case scenario::SparseAlgorithm::nbx:
      return theory::SparseAlgorithm::nbx;
    case scenario::SparseAlgorithm::nbx_tagged:
      return theory::SparseAlgorithm::nbx_tagged;
    case scenario::SparseAlgorithm::personalized:
      break;
  }
  return theory::SparseAlgorithm::personalized;
}

/// Sizes of the messages that a rank sends and receives.
struct Sizes {
  std::vector<std::int64_t> sent, received;
  std::int64_t bytes_to_others = 0;
  std::int64_t messages_to_others = 0;
};

Sizes sizes_of(SparseTraffic const& traffic, Rank rank) {
  Sizes sizes;
  auto const size = [&](std::int64_t edge) { return traffic.sizes[static_cast<std::size_t>(edge)]; };
  std::int64_t edge = traffic.graph.first_edge(rank);
  for (Neighbor const& target : traffic.graph.targets(rank)) {
    sizes.sent.push_back(size(edge));
    if (target.rank != rank) {
      sizes.bytes_to_others += size(edge);
      ++sizes.messages_to_others;
    }
    ++edge;
  }
  for (Neighbor const& source : traffic.graph.sources(rank)) {
    if (source.rank != rank) sizes.received.push_back(size(traffic.graph.first_edge(source.rank) + source.slot));
  }
  return sizes;
}

/// Of all exchanges.
void predict(Record& record, SparseExchangeProblem const& problem, SparseTraffic const& traffic) {
  std::int64_t const p = traffic.graph.ranks();
  auto const algorithm = theory_algorithm(problem.algorithm);
  std::int64_t data = 0, most_bytes = 0, memory = 0;
  for (int rank = 0; rank < p; ++rank) {
    Sizes const sizes = sizes_of(traffic, Rank(rank));
    data += sizes.messages_to_others;
    most_bytes = std::max(most_bytes, sizes.bytes_to_others);
    memory = std::max(memory, theory::sparse_memory(algorithm, p, sizes.sent, sizes.received).value);
  }
  // Into which a rank that waits receives: a byte more than the largest message, so that each travels whole.
  if (problem.completion == scenario::Completion::wait) {
    memory += 1 + (traffic.sizes.empty() ? 0 : *std::max_element(traffic.sizes.begin(), traffic.sizes.end()));
  }
  bool const tree = problem.barrier == scenario::SparseBarrier::tree;
  auto const counts = theory::sparse_exchange(
      algorithm, tree ? theory::BarrierKind::tree : theory::BarrierKind::dissemination, p, data);
  std::int64_t const n = problem.exchanges;
  record.sparse_theory = {n * counts.data, n * counts.acks, n * counts.barrier, memory};
  record.theory.messages = n * counts.messages();
  record.theory.volume_bytes = n * most_bytes;
}

std::string counts_disagree(Record const& record) {
  std::string difference;
  auto const compare = [&](char const* of_what, auto const& theory, auto const& counted) {
    if (!difference.empty() || theory == counted) return;
    difference =
        fmt::format("theory says {} {}, the program counted {}", theory.value_or(0), of_what, counted.value_or(0));
  };
  compare("data messages", record.sparse_theory.data_messages, record.sparse.data_messages);
  compare("acknowledgements", record.sparse_theory.ack_messages, record.sparse.ack_messages);
  compare("barrier messages", record.sparse_theory.barrier_messages, record.sparse.barrier_messages);
  compare("bytes of memory", record.sparse_theory.memory_bytes, record.sparse.memory_bytes);
  compare("messages", record.theory.messages, record.messages);
  compare("bytes sent by a rank", record.theory.volume_bytes, record.volume_bytes);
  return difference;
}

void add_result(Record& record, SparseResult const& result) {
  record.sparse = {result.data_messages, result.ack_messages, result.barrier_messages, result.memory_bytes};
  record.messages = result.data_messages + result.ack_messages + result.barrier_messages;
  record.volume_bytes = result.most_sent_bytes;
  record.time_s = result.timing.makespan.value;
  record.payload = "verified";
  record.delivered = result.faults.empty();
  record.violations = static_cast<std::int64_t>(result.faults.size());
  record.violation_list = result.faults;
  if (!result.faults.empty()) record.error = fmt::format("wrong data: {}", result.faults.front());
}

}  // namespace

Plan plan_for(SparseExchangeProblem const& /*problem*/, Scenario const& /*scenario*/) {
  throw InputError(
      "/collective/kind: expected a collective with a schedule; a sparse_exchange is a program, which only runs");
}

void run_program(Record& record, SparseExchangeProblem const& problem, Scenario const& scenario,
                 EngineOptions const& options) {
  SparseTraffic const traffic = traffic_of(problem, scenario);
  predict(record, problem, traffic);
  SparseOutcome const outcome = simulate_sparse_exchange(traffic, protocol_of(problem), scenario.machine, options);
  if (!outcome.result) {
    std::string const kind = to_string(outcome.failure);
    record.error = outcome.error.starts_with(kind) ? outcome.error : fmt::format("{}: {}", kind, outcome.error);
    return;
  }
  add_result(record, *outcome.result);
  if (record.error) return;
  std::string const difference = counts_disagree(record);
  if (!difference.empty()) record.error = difference;
}

Names names_for(SparseExchangeProblem const& problem, Scenario const& scenario) {
  ProcessGraph const graph = graph_of(problem, scenario);
  std::int64_t most = 0;
  for (int rank = 0; rank < graph.ranks(); ++rank) {
    most = std::max(most, static_cast<std::int64_t>(graph.targets(Rank(rank)).size()));
  }
  return {{"edges", static_cast<double>(graph.edges())},
          {"most_targets", static_cast<double>(most)},
          {"exchanges", static_cast<double>(problem.exchanges)},
          {"poll_time", scenario.machine.poll.value}};
}

}  // namespace rondo
