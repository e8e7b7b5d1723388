// Plans for sparse exchanges and programs of them: Luby's independent set, the coloring by such sets, and the
// bisection of point clouds. These programs have counts and times, but no schedule and no rounds.

#include "engine/programs/sparse_exchange.hpp"
#include "run/families/answers.hpp"
#include "theory/sparse_exchange.hpp"

namespace rondo {
namespace {

/// The part of a problem that the engine needs.
SparseProtocol protocol_of(problem::ExchangeWays const& ways) {
  SparseProtocol protocol;
  protocol.rules = {ways.algorithm, ways.barrier};
  protocol.completion = ways.completion;
  return protocol;
}

/// What the ranks counted, timed and found wrong.
Observation observation(SparseResult const& result) {
  Observation all{.whole = result.whole, .time = result.timing.makespan};
  all.finish = result.timing.finish;
  all.messages = result.data_messages + result.ack_messages + result.barrier_messages;
  all.volume_bytes = result.most_sent_bytes;
  all.payload_verified = true;
  all.delivered = result.faults.empty();
  all.faults = result.faults;
  all.sparse = {result.data_messages, result.ack_messages, result.barrier_messages, result.memory_bytes};
  all.exchange_program.exchanges = result.exchanges;
  return all;
}

/// Messages of reductions count too.
Observation observation(ExchangeProgramResult const& result) {
  Observation all = observation(result.exchanges);
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

/// Nobody can predict how many rounds Luby's algorithm takes, so theory has no counts. But the messages of the
/// rounds that were counted can be computed.
ExpectedMessages accounted(ExchangeProgramFigures const& counted, problem::GraphProgram const& problem) {
  ProcessGraph const& graph = graph_of(problem.graph);
  auto const each = theory::sparse_exchange(problem.ways.algorithm, problem.ways.barrier, graph.ranks(), graph.edges());
  std::int64_t const rounds = counted.luby_rounds.value_or(0);
  std::int64_t const n = 2 * rounds;
  // A reduction before each round and after the last, and with colors two more each and one: each of 2(p - 1) messages.
  std::int64_t const reductions = rounds + 1 + 2 * counted.colors.value_or(0);
  return {n * each.messages() + reductions * 2 * (graph.ranks() - 1),
          {n * each.data, n * each.acks, n * each.barrier, {}}};
}

/// Runs a program; `observe` makes an observation of its result.
template <typename Program, typename Observe>
auto run_of(Program const& program, problem::ExchangeWays const& ways, Observe observe) {
  return [=](Platform const& machine, EngineOptions const& options) -> Outcome<Observation> {
    Outcome<ExchangeProgramResult> const outcome =
        simulate_exchange_program(program, protocol_of(ways), machine, options);
    if (!outcome.result) return {std::nullopt, outcome.failure, outcome.error};
    return {observe(*outcome.result), {}, {}};
  };
}

}  // namespace

Plan plan_for(problem::SparseExchange const& problem, theory::MachineCost const& cost) {
  SparseTraffic const traffic{graph_of(problem.pattern), message_sizes(problem), problem.exchanges};
  SparseProtocol const protocol = protocol_of(problem.ways);
  auto const run = [=](Platform const& machine, EngineOptions const& options) -> Outcome<Observation> {
    Outcome<SparseResult> const outcome = simulate_sparse_exchange(traffic, protocol, machine, options);
    if (!outcome.result) return {std::nullopt, outcome.failure, outcome.error};
    return {observation(*outcome.result), {}, {}};
  };
  return ProgramPlan{theory::predict(problem, cost), run};
}

/// The number of rounds is random, so theory counts messages only after the run, from the rounds that it took.
Plan plan_for(problem::GraphProgram const& problem, theory::MachineCost const& cost) {
  GraphProgram const program{graph_of(problem.graph), problem.goal, problem.seed,
                             static_cast<int>(problem.block.value)};
  return ProgramPlan{theory::predict(problem, cost),
                     run_of(program, problem.ways, [problem](ExchangeProgramResult const& result) {
                       Observation all = observation(result);
                       all.accounted = accounted(all.exchange_program, problem);
                       return all;
                     })};
}

Plan plan_for(problem::Bisection const& problem, theory::MachineCost const& cost) {
  CloudProgram const program{problem.cloud, problem.ranks, static_cast<int>(problem.block.value)};
  return ProgramPlan{
      theory::predict(problem, cost),
      run_of(program, problem.ways, [](ExchangeProgramResult const& result) { return observation(result); })};
}

}  // namespace rondo
