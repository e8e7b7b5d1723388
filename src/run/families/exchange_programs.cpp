// Programs of sparse exchanges: Luby's independent set, the coloring by it, the bisection of point clouds.

#include "engine/programs/exchange_programs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "run/families/family.hpp"
#include "run/families/sparse.hpp"
#include "topology/geometric_graph.hpp"

namespace rondo {
namespace {

using scenario::Scenario;

ProcessGraph made(scenario::RandomGraph const& graph, std::uint64_t seed) {
  return erdos_renyi(graph.ranks, graph.density, seed);
}
ProcessGraph made(scenario::MooreGraph const& graph, std::uint64_t /*seed*/) {
  return moore(graph.torus, graph.radius);
}
ProcessGraph made(scenario::GeometricGraph const& graph, std::uint64_t seed) {
  return geometric(graph.ranks, graph.degree, seed);
}
ProcessGraph made(WeightedGraph const& edges, std::uint64_t /*seed*/) { return edges.graph; }

ProcessGraph graph_of(scenario::GraphSource const& source, Scenario const& scenario) {
  try {
    return symmetric(std::visit([&](auto const& graph) { return made(graph, scenario.seed); }, source));
  } catch (InputError const& refused) {
    throw InputError(fmt::format("/collective/graph: {}", refused.what()));
  }
}

std::int64_t most_neighbors(ProcessGraph const& graph) {
  std::int64_t most = 0;
  for (int rank = 0; rank < graph.ranks(); ++rank) most = std::max(most, std::ssize(graph.targets(Rank(rank))));
  return most;
}

void add(Record& record, ExchangeProgramResult const& result) {
  add_exchanges(record, result.exchanges);
  ExchangeProgramFigures& figures = record.exchange_program;
  figures.reductions = result.reductions;
  figures.reduction_messages = result.reduction_messages;
  record.messages = record.messages.value_or(0) + result.reduction_messages;
  figures.luby_rounds = result.rounds;
  figures.members = result.members;
  figures.colors = result.colors;
  figures.levels = result.levels;
  figures.smallest_part = result.smallest;
  figures.largest_part = result.largest;
}

/// How many rounds Luby's algorithm takes nobody can tell before; what they cost, theory can.
void predict(Record& record, GraphProgram const& program, scenario::ExchangeWays const& ways) {
  auto const [algorithm, barrier] = theory_of(ways);
  auto const each = theory::sparse_exchange(algorithm, barrier, program.graph.ranks(), program.graph.edges());
  std::int64_t const n = 2 * record.exchange_program.luby_rounds.value_or(0);
  record.sparse_theory.data_messages = n * each.data;
  record.sparse_theory.ack_messages = n * each.acks;
  record.sparse_theory.barrier_messages = n * each.barrier;
  // A reduction before each round and after the last, and with colors two more each and one: each of 2(p - 1) messages.
  std::int64_t const of_colors = 2 * record.exchange_program.colors.value_or(0);
  std::int64_t const reductions = record.exchange_program.luby_rounds.value_or(0) + 1 + of_colors;
  record.theory.messages = n * each.messages() + reductions * 2 * (program.graph.ranks() - 1);
}

void predict(Record& record, CloudProgram const& program, scenario::ExchangeWays const& ways) {
  auto const [algorithm, barrier] = theory_of(ways);
  auto const counts = theory::bisection(algorithm, barrier, program.ranks, program.cloud.points);
  record.sparse_theory.barrier_messages = counts.barrier_messages;
  bool const levels_agree = record.exchange_program.levels == counts.levels;
  if (!record.error && !levels_agree) {
    record.error = fmt::format("theory says {} levels, the program counted {}", counts.levels,
                               record.exchange_program.levels.value_or(0));
  }
}

template <typename Program>
Plan plan_with(int ranks, Program const& program, scenario::ExchangeWays const& ways) {
  return plan_of_program(ranks, [=](Record& record, Platform const& machine, EngineOptions const& options) {
    ExchangeProgramOutcome const outcome = simulate_exchange_program(program, protocol_of(ways), machine, options);
    if (!outcome.result) return Outcome{std::nullopt, outcome.failure, outcome.error};
    add(record, *outcome.result);
    predict(record, program, ways);
    expect_predicted(record);
    return Outcome{outcome.result->exchanges.whole, {}, {}};
  });
}

template <typename Problem>
Plan graph_plan(Problem const& problem, GraphProgram::Goal goal, Scenario const& scenario) {
  ProcessGraph const graph = graph_of(problem.graph, scenario);
  // Other numbers than those of the graph.
  GraphProgram const program{graph, goal, ~scenario.seed, static_cast<int>(scenario.block.value)};
  return plan_with(graph.ranks(), program, problem.ways);
}

template <typename Problem>
Names graph_names(Problem const& problem, Scenario const& scenario) {
  ProcessGraph const graph = graph_of(problem.graph, scenario);
  return {{"edges", static_cast<double>(graph.edges())},
          {"most_targets", static_cast<double>(most_neighbors(graph))},
          {"poll_time", scenario.machine.poll.value}};
}

}  // namespace

Plan plan_for(scenario::IndependentSetProblem const& problem, Scenario const& scenario) {
  return graph_plan(problem, GraphProgram::Goal::independent_set, scenario);
}
Plan plan_for(scenario::ColoringProblem const& problem, Scenario const& scenario) {
  return graph_plan(problem, GraphProgram::Goal::coloring, scenario);
}
Plan plan_for(scenario::BisectionProblem const& problem, Scenario const& scenario) {
  CloudProgram program{problem.cloud, problem.ranks, static_cast<int>(scenario.block.value)};
  program.cloud.seed = scenario.seed;
  return plan_with(problem.ranks, program, problem.ways);
}

Names names_for(scenario::IndependentSetProblem const& problem, Scenario const& scenario) {
  return graph_names(problem, scenario);
}
Names names_for(scenario::ColoringProblem const& problem, Scenario const& scenario) {
  return graph_names(problem, scenario);
}
Names names_for(scenario::BisectionProblem const& problem, Scenario const& scenario) {
  return {{"points", static_cast<double>(problem.cloud.points)}, {"poll_time", scenario.machine.poll.value}};
}

}  // namespace rondo
