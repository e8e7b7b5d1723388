// Neighborhood collectives on a process graph.

#include "run/families/neighbor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/error.hpp"
#include "generate/generate.hpp"
#include "run/families/answers.hpp"
#include "run/families/neighbor_setup.hpp"
#include "topology/geometric_graph.hpp"

namespace rondo {
namespace {

using scenario::NeighborAlgorithm;
using scenario::NeighborPattern;
using scenario::Scenario;
using theory::NeighborBlock;

WeightedGraph made(scenario::RandomGraph const& graph, std::uint64_t seed) {
  return {erdos_renyi(graph.ranks, graph.density, seed)};
}
WeightedGraph made(scenario::MooreGraph const& graph, std::uint64_t /*seed*/) {
  return {moore(graph.torus, graph.radius)};
}
WeightedGraph made(scenario::GeometricGraph const& graph, std::uint64_t seed) {
  return {geometric(graph.ranks, graph.degree, seed)};
}
WeightedGraph made(WeightedGraph const& graph, std::uint64_t /*seed*/) { return graph; }

/// A problem with its graph and the sizes of its blocks.
struct Neighbors {
  ProcessGraph graph;
  NeighborBlock kind;
  Bytes block;
  std::vector<Bytes> sizes;

  generate::BlockSizes blocks() const { return {block, sizes}; }
  /// Of as many blocks, or where sizes differ, bytes in blocks of m; unset if these have no size.
  std::optional<double> volume(std::int64_t blocks, Bytes bytes) const {
    if (sizes.empty()) return static_cast<double>(blocks);
    if (block == Bytes(0)) return std::nullopt;
    return static_cast<double>(bytes.value) / static_cast<double>(block.value);
  }
};

bool has_sizes(NeighborPattern const& pattern) {
  return !pattern.sizes.list.empty() || !pattern.sizes.expression.empty();
}

Neighbors neighbors_of(NeighborPattern const& pattern, NeighborBlock kind, Scenario const& scenario) {
  WeightedGraph const on = graph_of(pattern, scenario);
  return {on.graph, kind, scenario.block, neighbor_sizes(pattern, on, kind, scenario.block)};
}

generate::CommonNeighborsOptions options_of(NeighborPattern const& pattern) {
  generate::CommonNeighborsOptions options;
  options.theta = pattern.theta;
  options.tie = pattern.tie == scenario::FriendTie::highest ? generate::Tie::highest : generate::Tie::lowest;
  options.combining = pattern.cumulative ? generate::Combining::cumulative : generate::Combining::single;
  return options;
}

/// The most sends of a rank, and the most sends and receives.
struct Busiest {
  std::int64_t sends = 0;
  std::int64_t messages = 0;
};
Busiest busiest(Schedule const& schedule) {
  Busiest most;
  for (Program const& program : schedule.programs) {
    Busiest own;
    for (int round = 1; round <= program.rounds(); ++round) {
      own.sends += static_cast<std::int64_t>(program.sends(round).size());
      own.messages += static_cast<std::int64_t>(program.sends(round).size() + program.receives(round).size());
    }
    most = {std::max(most.sends, own.sends), std::max(most.messages, own.messages)};
  }
  return most;
}

Schedule naive(Neighbors const& x) {
  return x.kind == NeighborBlock::per_rank ? generate::neighbor_allgather_naive(x.graph, x.blocks())
                                           : generate::neighbor_alltoall_naive(x.graph, x.blocks());
}

Schedule combined(Neighbors const& x, generate::CombiningPattern const& pattern) {
  return x.kind == NeighborBlock::per_rank ? generate::neighbor_allgather_common_neighbors(x.graph, pattern, x.blocks())
                                           : generate::neighbor_alltoall_common_neighbors(x.graph, pattern, x.blocks());
}

/// All messages are posted at once: theory has no time for that on few ports, whose order the graph decides.
Figures closed_form(Neighbors const& x, NeighborAlgorithm algorithm) {
  Figures figures;
  if (algorithm != NeighborAlgorithm::naive) return figures;
  theory::NaiveCounts const counts = theory::neighbor_naive(x.graph, x.kind, x.sizes);
  figures.rounds = counts.rounds;
  figures.messages = counts.messages;
  figures.volume_blocks = x.volume(counts.volume_blocks, counts.volume_bytes);
  figures.received_blocks = x.volume(counts.received_blocks, counts.received_bytes);
  figures.total_blocks = x.volume(counts.messages, counts.total_bytes);
  if (!x.sizes.empty()) figures.volume_bytes = counts.volume_bytes.value;
  return figures;
}

Figures bound_of(Neighbors const& x, Scenario const& scenario) {
  int const ports = scenario.machine.ports;
  theory::NeighborBounds const bounds = theory::neighbor_bounds(x.graph, x.kind, ports, x.sizes);
  theory::LinearCost const cost = cheapest_cost(scenario.machine);
  Figures figures;
  figures.rounds = bounds.sent.rounds;
  figures.volume_blocks = x.volume(bounds.sent.volume_blocks, bounds.sent.volume_bytes);
  figures.received_blocks = x.volume(bounds.received_blocks, bounds.received_bytes);
  figures.messages = bounds.messages;
  if (x.sizes.empty()) {
    figures.time_s = theory::time_bound(bounds.sent, x.block, ports, cost).value;
  } else {
    Bytes const smallest = *std::min_element(x.sizes.begin(), x.sizes.end());
    figures.time_s = theory::time_bound_irregular(bounds.sent, smallest, ports, cost).value;
  }
  return figures;
}

void add_pattern(CombiningFigures& figures, generate::CombiningPattern const& pattern) {
  figures.friends = pattern.friends;
  figures.iterations = static_cast<std::int64_t>(pattern.iterations.size());
  std::int64_t& most = figures.pairing_rounds.emplace(0);
  for (generate::Iteration const& each : pattern.iterations) most = std::max<std::int64_t>(most, each.pairing_rounds);
  figures.pairing_messages = pattern.setup.pairing;
  figures.savable_messages = pattern.savable_messages;
  figures.setup_messages = total(pattern.setup);
}

/// The pattern, found centrally, and its schedule.
void combine(SchedulePlan& result, NeighborPattern const& problem, Neighbors const& x) {
  auto const start = std::chrono::steady_clock::now();
  generate::CommonNeighborsOptions options = options_of(problem);
  generate::CombiningPattern pattern = generate::common_neighbors(x.graph, options);
  result.combining.setup_wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  add_pattern(result.combining, pattern);
  result.schedule = combined(x, pattern);
  expects(pattern.max_sends == busiest(result.schedule).sends, "a combined schedule sends what its pattern says");
  options.combining = pattern.combining;  // a cumulative one may have fallen back
  result.combining.cumulative = pattern.combining == generate::Combining::cumulative;
  if (problem.setup) result.setup = CombiningSetup{x.graph, options, std::move(pattern)};
}

/// Of Algorithm 3, whose measured times grow with the square of a rank's messages; a naive schedule is its list of
/// neighbors.
Seconds building_time(NeighborPattern const& problem, std::int64_t messages) {
  if (problem.algorithm == NeighborAlgorithm::naive) return Seconds(0);
  return static_cast<double>(messages) * static_cast<double>(messages) * problem.build_cost;
}

Plan plan(NeighborPattern const& problem, Collective collective, Neighbors const& x, Scenario const& scenario) {
  Prediction const prediction{closed_form(x, problem.algorithm), bound_of(x, scenario), "any", false};
  SchedulePlan result{std::move(collective), {}, prediction};
  if (problem.algorithm == NeighborAlgorithm::naive) {
    result.schedule = naive(x);
  } else {
    combine(result, problem, x);
  }
  Busiest const most = busiest(result.schedule);
  result.combining.max_sends = most.sends;
  Seconds const building = building_time(problem, most.messages);
  result.combining.build_time_s = building.value;
  if (!problem.persistent) result.before_each_call = building;
  return result;
}

Names names(NeighborPattern const& problem, Scenario const& scenario) {
  ProcessGraph const graph = graph_of(problem, scenario).graph;
  return {{"edges", static_cast<double>(graph.edges())},
          {"cumulative", problem.cumulative ? 1.0 : 0.0},
          {"persistent", problem.persistent ? 1.0 : 0.0},
          {"fewest_combined_once", static_cast<double>(theory::fewest_messages_combined_once(graph))}};
}

}  // namespace

WeightedGraph graph_of(NeighborPattern const& pattern, Scenario const& scenario) {
  try {
    return std::visit([&](auto const& source) { return made(source, scenario.seed); }, pattern.graph);
  } catch (InputError const& refused) {
    throw InputError(fmt::format("/collective/graph: {}", refused.what()));
  }
}

Plan plan_for(scenario::NeighborAllgatherProblem const& problem, Scenario const& scenario) {
  Neighbors const x = neighbors_of(problem.pattern, NeighborBlock::per_rank, scenario);
  return plan(problem.pattern, NeighborAllgather{x.graph}, x, scenario);
}

Plan plan_for(scenario::NeighborAlltoallProblem const& problem, Scenario const& scenario) {
  Neighbors const x = neighbors_of(problem.pattern, NeighborBlock::per_edge, scenario);
  return plan(problem.pattern, NeighborAlltoall{x.graph}, x, scenario);
}

template <>
void validate(scenario::NeighborAllgatherProblem const& problem, Scenario const& scenario) {
  if (has_sizes(problem.pattern)) neighbors_of(problem.pattern, NeighborBlock::per_rank, scenario);
}
template <>
void validate(scenario::NeighborAlltoallProblem const& problem, Scenario const& scenario) {
  if (has_sizes(problem.pattern)) neighbors_of(problem.pattern, NeighborBlock::per_edge, scenario);
}

Names names_for(scenario::NeighborAllgatherProblem const& problem, Scenario const& scenario) {
  return names(problem.pattern, scenario);
}
Names names_for(scenario::NeighborAlltoallProblem const& problem, Scenario const& scenario) {
  return names(problem.pattern, scenario);
}

}  // namespace rondo
