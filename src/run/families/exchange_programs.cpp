// Programs of sparse exchanges: Luby's independent set, the coloring by it, the bisection of point clouds.

#include "engine/programs/exchange_programs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "run/families/answers.hpp"
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

Observed observed(ExchangeProgramResult const& result) {
  Observed all = observed(result.exchanges);
  all.messages += result.reduction_messages;
  ExchangeProgramFigures& figures = all.exchange_program;
  figures.reductions = result.reductions;
  figures.reduction_messages = result.reduction_messages;
  figures.luby_rounds = result.rounds;
  figures.members = result.members;
  figures.colors = result.colors;
  figures.levels = result.levels;
  figures.smallest_part = result.smallest;
  figures.largest_part = result.largest;
  return all;
}

/// How many rounds Luby's algorithm takes nobody can tell before, so that theory has no counts; but what the rounds
/// that were counted cost is known.
Accounted accounted(ExchangeProgramFigures const& counted, GraphProgram const& program,
                    scenario::ExchangeWays const& ways) {
  auto const [algorithm, barrier] = theory_of(ways);
  auto const each = theory::sparse_exchange(algorithm, barrier, program.graph.ranks(), program.graph.edges());
  std::int64_t const rounds = counted.luby_rounds.value_or(0);
  std::int64_t const n = 2 * rounds;
  // A reduction before each round and after the last, and with colors two more each and one: each of 2(p - 1) messages.
  std::int64_t const reductions = rounds + 1 + 2 * counted.colors.value_or(0);
  return {n * each.messages() + reductions * 2 * (program.graph.ranks() - 1),
          {n * each.data, n * each.acks, n * each.barrier, {}}};
}

Prediction prediction_of(CloudProgram const& program, scenario::ExchangeWays const& ways) {
  auto const [algorithm, barrier] = theory_of(ways);
  auto const counts = theory::bisection(algorithm, barrier, program.ranks, program.cloud.points);
  Prediction prediction = unpredicted();
  prediction.sparse.barrier_messages = counts.barrier_messages;
  prediction.levels = counts.levels;
  return prediction;
}

/// The run of a program, whose result `observe` makes one observation of.
template <typename Program, typename Observe>
auto run_of(Program const& program, scenario::ExchangeWays const& ways, Observe observe) {
  return [=](Platform const& machine, EngineOptions const& options) -> Outcome<Observed> {
    Outcome<ExchangeProgramResult> const outcome =
        simulate_exchange_program(program, protocol_of(ways), machine, options);
    if (!outcome.result) return {std::nullopt, outcome.failure, outcome.error};
    return {observe(*outcome.result), {}, {}};
  };
}

template <typename Problem>
Plan graph_plan(Problem const& problem, GraphProgram::Goal goal, Scenario const& scenario) {
  ProcessGraph const graph = graph_of(problem.graph, scenario);
  // Other numbers than those of the graph.
  GraphProgram const program{graph, goal, ~scenario.seed, static_cast<int>(scenario.block.value)};
  scenario::ExchangeWays const& ways = problem.ways;
  return ProgramPlan{unpredicted(), run_of(program, ways, [=](ExchangeProgramResult const& result) {
                       Observed all = observed(result);
                       all.accounted = accounted(all.exchange_program, program, ways);
                       return all;
                     })};
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
  return ProgramPlan{
      prediction_of(program, problem.ways),
      run_of(program, problem.ways, [](ExchangeProgramResult const& result) { return observed(result); })};
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
