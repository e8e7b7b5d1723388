// Sparse exchanges: programs, which have counts and times but no schedule and no rounds.

#include "run/families/sparse.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/random.hpp"
#include "run/families/answers.hpp"
#include "topology/geometric_graph.hpp"
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
ProcessGraph made(scenario::GeometricGraph const& pattern, std::uint64_t seed) {
  return geometric(pattern.ranks, pattern.degree, seed);
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

/// What all exchanges together take.
Prediction prediction_of(SparseExchangeProblem const& problem, SparseTraffic const& traffic) {
  std::int64_t const p = traffic.graph.ranks();
  auto const [algorithm, barrier] = theory_of(problem.ways);
  std::int64_t data = 0, most_bytes = 0, memory = 0;
  for (int rank = 0; rank < p; ++rank) {
    Sizes const sizes = sizes_of(traffic, Rank(rank));
    data += sizes.messages_to_others;
    most_bytes = std::max(most_bytes, sizes.bytes_to_others);
    memory = std::max(memory, theory::sparse_memory(algorithm, p, sizes.sent, sizes.received).value);
  }
  // Into which a rank that waits receives: a byte more than the largest message, so that each travels whole, and the
  // size of the rest that there would be else.
  if (problem.ways.completion == scenario::Completion::wait) {
    memory += 1 + 4 + (traffic.sizes.empty() ? 0 : *std::max_element(traffic.sizes.begin(), traffic.sizes.end()));
  }
  auto const counts = theory::sparse_exchange(algorithm, barrier, p, data);
  std::int64_t const n = problem.exchanges;
  Prediction prediction = unpredicted();
  prediction.sparse = {n * counts.data, n * counts.acks, n * counts.barrier, memory};
  prediction.theory.messages = n * counts.messages();
  prediction.theory.volume_bytes = n * most_bytes;
  return prediction;
}

}  // namespace

Plan plan_for(SparseExchangeProblem const& problem, Scenario const& scenario) {
  SparseTraffic const traffic = traffic_of(problem, scenario);
  SparseProtocol const protocol = protocol_of(problem.ways);
  auto const run = [=](Platform const& machine, EngineOptions const& options) -> Outcome<Observed> {
    Outcome<SparseResult> const outcome = simulate_sparse_exchange(traffic, protocol, machine, options);
    if (!outcome.result) return {std::nullopt, outcome.failure, outcome.error};
    return {observed(*outcome.result), {}, {}};
  };
  return ProgramPlan{prediction_of(problem, traffic), run};
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
