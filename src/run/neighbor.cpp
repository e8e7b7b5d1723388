// Neighborhood collectives on a process graph.

#include <algorithm>
#include <chrono>

#include "base/error.hpp"
#include "generate/generate.hpp"
#include "run/family.hpp"
#include "theory/neighbor.hpp"

namespace rondo {
namespace {

using scenario::NeighborAlgorithm;
using scenario::NeighborPattern;
using scenario::Scenario;
using theory::NeighborBlock;

ProcessGraph made(scenario::RandomGraph const& graph, std::uint64_t seed) {
  return erdos_renyi(graph.ranks, graph.density, seed);
}
ProcessGraph made(scenario::MooreGraph const& graph, std::uint64_t /*seed*/) {
  return moore(graph.torus, graph.radius);
}
ProcessGraph made(ProcessGraph const& graph, std::uint64_t /*seed*/) { return graph; }

ProcessGraph graph_of(NeighborPattern const& pattern, Scenario const& scenario) {
  return std::visit([&](auto const& source) { return made(source, scenario.seed); }, pattern.graph);
}

generate::CommonNeighborsOptions options_of(NeighborPattern const& pattern) {
  generate::CommonNeighborsOptions options;
  options.theta = pattern.theta;
  options.tie = pattern.tie == scenario::FriendTie::highest ? generate::Tie::highest : generate::Tie::lowest;
  options.combining = pattern.cumulative ? generate::Combining::cumulative : generate::Combining::single;
  return options;
}

std::int64_t max_sends(Schedule const& schedule) {
  std::int64_t most = 0;
  for (Program const& program : schedule.programs) {
    std::int64_t sends = 0;
    for (int round = 1; round <= program.rounds(); ++round) {
      sends += static_cast<std::int64_t>(program.sends(round).size());
    }
    most = std::max(most, sends);
  }
  return most;
}

Schedule naive(ProcessGraph const& graph, NeighborBlock kind, Bytes block) {
  return kind == NeighborBlock::per_rank ? generate::neighbor_allgather_naive(graph, block)
                                         : generate::neighbor_alltoall_naive(graph, block);
}

Schedule combined(ProcessGraph const& graph, generate::CombiningPattern const& pattern, NeighborBlock kind,
                  Bytes block) {
  return kind == NeighborBlock::per_rank ? generate::neighbor_allgather_common_neighbors(graph, pattern, block)
                                         : generate::neighbor_alltoall_common_neighbors(graph, pattern, block);
}

/// All messages are posted at once: theory has no time for that on few ports, whose order the graph decides.
Figures closed_form(ProcessGraph const& graph, NeighborAlgorithm algorithm) {
  Figures figures;
  if (algorithm != NeighborAlgorithm::naive) return figures;
  theory::NaiveCounts const counts = theory::neighbor_naive(graph);
  figures.rounds = counts.rounds;
  figures.messages = counts.messages;
  figures.volume_blocks = static_cast<double>(counts.volume_blocks);
  figures.received_blocks = static_cast<double>(counts.received_blocks);
  figures.total_blocks = static_cast<double>(counts.messages);
  return figures;
}

Figures bound_of(ProcessGraph const& graph, NeighborBlock kind, Scenario const& scenario) {
  int const ports = scenario.machine.ports;
  // Both algorithms post all messages of a round at once, however few ports serve them.
  theory::NeighborBounds const counted = theory::neighbor_bounds(graph, kind, std::max(ports, graph.ranks()));
  theory::NeighborBounds const timed = theory::neighbor_bounds(graph, kind, ports);
  Figures figures;
  figures.rounds = counted.sent.rounds;
  figures.volume_blocks = static_cast<double>(counted.sent.volume_blocks);
  figures.received_blocks = static_cast<double>(counted.received_blocks);
  figures.messages = counted.messages;
  figures.time_s = theory::time_bound(timed.sent, scenario.block, ports, cheapest_cost(scenario.machine)).value;
  return figures;
}

void add_pattern(CombiningFigures& figures, generate::CombiningPattern const& pattern) {
  figures.friends = pattern.friends;
  figures.iterations = static_cast<std::int64_t>(pattern.iterations.size());
  std::int64_t& most = figures.pairing_rounds.emplace(0);
  for (generate::Iteration const& each : pattern.iterations) most = std::max<std::int64_t>(most, each.pairing_rounds);
  figures.pairing_messages = pattern.setup.pairing;
  figures.savable_messages = pattern.savable_messages;
}

Plan plan(NeighborPattern const& problem, Collective collective, ProcessGraph const& graph, NeighborBlock kind,
          Scenario const& scenario) {
  Prediction const prediction{closed_form(graph, problem.algorithm), bound_of(graph, kind, scenario), "any", false};
  Plan result{std::move(collective), {}, prediction, {}};
  if (problem.algorithm == NeighborAlgorithm::naive) {
    result.schedule = naive(graph, kind, scenario.block);
  } else {
    auto const start = std::chrono::steady_clock::now();
    generate::CombiningPattern const pattern = generate::common_neighbors(graph, options_of(problem));
    result.combining.setup_wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    add_pattern(result.combining, pattern);
    result.schedule = combined(graph, pattern, kind, scenario.block);
    expects(pattern.max_sends == max_sends(result.schedule), "a combined schedule sends what its pattern says");
  }
  result.combining.max_sends = max_sends(result.schedule);
  return result;
}

Names names(NeighborPattern const& problem, Scenario const& scenario) {
  ProcessGraph const graph = graph_of(problem, scenario);
  return {{"edges", static_cast<double>(graph.edges())},
          {"fewest_combined_once", static_cast<double>(theory::fewest_messages_combined_once(graph))}};
}

}  // namespace

Plan plan_for(scenario::NeighborAllgatherProblem const& problem, Scenario const& scenario) {
  ProcessGraph const graph = graph_of(problem.pattern, scenario);
  return plan(problem.pattern, NeighborAllgather{graph}, graph, NeighborBlock::per_rank, scenario);
}

Plan plan_for(scenario::NeighborAlltoallProblem const& problem, Scenario const& scenario) {
  ProcessGraph const graph = graph_of(problem.pattern, scenario);
  return plan(problem.pattern, NeighborAlltoall{graph}, graph, NeighborBlock::per_edge, scenario);
}

Names names_for(scenario::NeighborAllgatherProblem const& problem, Scenario const& scenario) {
  return names(problem.pattern, scenario);
}
Names names_for(scenario::NeighborAlltoallProblem const& problem, Scenario const& scenario) {
  return names(problem.pattern, scenario);
}

}  // namespace rondo
