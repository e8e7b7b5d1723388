// Plans for collectives that are schedules: the promise, the schedule that keeps it, and the prediction of theory.

#include <algorithm>
#include <chrono>

#include "base/error.hpp"
#include "generate/generate.hpp"
#include "run/families/answers.hpp"
#include "run/families/neighbor_setup.hpp"

namespace rondo {
namespace {

/// The most sends of a rank, and the most sends and receives.
struct Busiest {
  std::int64_t sends = 0;
  std::int64_t messages = 0;
};
/// The most sends, and the most messages in both directions, of any rank.
Busiest busiest(Schedule const& schedule) {
  Busiest most;
  for (Program const& program : schedule.programs) {
    Busiest of_program;
    for (int round = 1; round <= program.rounds(); ++round) {
      of_program.sends += static_cast<std::int64_t>(program.sends(round).size());
      of_program.messages += static_cast<std::int64_t>(program.sends(round).size() + program.receives(round).size());
    }
    most = {std::max(most.sends, of_program.sends), std::max(most.messages, of_program.messages)};
  }
  return most;
}

/// Copies the figures of the pattern [Mirsadeghi17, Algorithms 1 and 2].
void add_pattern(CombiningFigures& figures, generate::CombiningPattern const& pattern) {
  figures.friends = pattern.friends;
  figures.iterations = static_cast<std::int64_t>(pattern.iterations.size());
  std::int64_t& most = figures.pairing_rounds.emplace(0);
  for (generate::Iteration const& each : pattern.iterations) most = std::max<std::int64_t>(most, each.pairing_rounds);
  figures.pairing_messages = pattern.setup.pairing;
  figures.savable_messages = pattern.savable_messages;
  figures.setup_messages = total(pattern.setup);
}

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// The pattern, found centrally.
generate::CombiningPattern found(CombiningFigures& figures, ProcessGraph const& graph,
                                 problem::CommonNeighbors const& options) {
  auto const start = Clock::now();
  generate::CombiningPattern pattern = generate::common_neighbors(graph, options);
  figures.setup_wall_s = seconds_since(start);
  add_pattern(figures, pattern);
  figures.cumulative = pattern.combining == problem::Combining::cumulative;  // which may have fallen back
  return pattern;
}

/// The pattern and its schedule.
void combine(SchedulePlan& result, problem::Neighbor const& problem) {
  ProcessGraph const& graph = graph_of(problem.graph);
  generate::CombiningPattern pattern = found(result.combining, graph, problem.options);
  result.schedule = generate::neighbor_common_neighbors(problem, pattern);
  expects(pattern.max_sends == busiest(result.schedule).sends, "a combined schedule sends what its pattern says");
  problem::CommonNeighbors options = problem.options;
  options.combining = pattern.combining;
  if (problem.setup) result.setup = CombiningSetup{graph, options, std::move(pattern)};
}

/// The time that Algorithm 3 takes to build a schedule. The times measured in the paper grow with the square of a
/// rank's messages. A naive schedule is just the list of neighbors and takes no time.
Seconds building_time(problem::Neighbor const& problem, std::int64_t messages) {
  if (problem.algorithm == problem::NeighborAlgorithm::naive) return Seconds(0);
  return static_cast<double>(messages) * static_cast<double>(messages) * problem.build_cost;
}

}  // namespace

/// The times of theory hold if all ranks begin at the same time.
Plan plan_for(problem::Classical const& problem, theory::MachineCost const& cost) {
  SchedulePlan result{generate::promise(problem), generate::generate(problem), theory::predict(problem, cost)};
  result.benchmark = problem.benchmark;
  if (!problem.benchmark) return result;
  result.prediction.theory.time_s.reset();
  result.prediction.bound.forget_time();
  result.prediction.exact = false;
  return result;
}

Plan plan_for(problem::SparseOnGraph const& problem, theory::MachineCost const& cost) {
  SchedulePlan result{generate::promise(problem), {}, theory::predict(problem, cost)};
  if (problem.algorithm != problem::NeighborAlgorithm::common_neighbors) {
    result.schedule = generate::generate(problem);
    return result;
  }
  problem::Neighbor const used = as_neighborhood(problem);
  generate::CombiningPattern const pattern = found(result.combining, graph_of(used.graph), problem.options);
  result.schedule = generate::neighbor_reduction_combined(used, pattern);
  result.combining.max_sends = busiest(result.schedule).sends;
  return result;
}

/// Measures the real time of making the schedule, which every rank does by itself: the "init" of [Traeff16, Table 2].
Plan plan_for(problem::Isomorphic const& problem, theory::MachineCost const& cost) {
  SchedulePlan result{generate::promise(problem), {}, theory::predict(problem, cost)};
  auto const start = Clock::now();
  result.schedule = generate::generate(problem);
  result.combining.setup_wall_s = seconds_since(start);
  return result;
}

/// Building a schedule costs time on each call, unless the collective is persistent.
Plan plan_for(problem::Neighbor const& problem, theory::MachineCost const& cost) {
  SchedulePlan result{generate::promise(problem), {}, theory::predict(problem, cost)};
  if (problem.algorithm == problem::NeighborAlgorithm::naive) {
    result.schedule = generate::generate(problem);
  } else {
    combine(result, problem);
  }
  Busiest const most = busiest(result.schedule);
  result.combining.max_sends = most.sends;
  Seconds const building = building_time(problem, most.messages);
  result.combining.build_time_s = building.value;
  if (!problem.persistent) result.before_each_call = building;
  return result;
}

}  // namespace rondo
