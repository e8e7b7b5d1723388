// Plans for collectives that are schedules: the promise, the schedule that keeps it, and the prediction of theory.
// The plan of an inter-group all-to-all broadcast is a schedule of Rondo's, or is made from the MPI library's
// collectives. The plan of a workload has the schedules of its steps, each with the promise that it keeps.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/error.hpp"
#include "engine/programs/library.hpp"
#include "generate/generate.hpp"
#include "run/families/answers.hpp"
#include "run/families/neighbor_setup.hpp"
#include "run/families/resolve.hpp"

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

namespace {

/// With the library's collectives, only the messages of the simulation are counted, and only the arrived data are
/// checked.
Observation observation(Timing const& timing, Bytes block) {
  Observation all{.whole = timing, .time = timing.makespan, .messages = timing.messages};
  all.finish = timing.finish;
  all.payload_verified = timing.payload_verified;
  if (timing.payload_verified) all.delivered = true;
  if (block > Bytes(0)) all.total_blocks = static_cast<double>(timing.bytes.value) / static_cast<double>(block.value);
  return all;
}

}  // namespace

/// A schedule of Rondo's, or a program that calls SMPI's own collectives [Kang19, Section V].
Plan plan_for(problem::Intergroup const& problem, theory::MachineCost const& cost) {
  Prediction const prediction = theory::predict(problem, cost);
  if (problem.building_blocks == problem::BuildingBlocks::schedule) {
    return SchedulePlan{generate::promise(problem), generate::generate(problem), prediction};
  }
  auto const run = [problem](Platform const& machine, EngineOptions const& options) -> Outcome<Observation> {
    Outcome const outcome = simulate_library(problem, machine, options);
    if (!outcome.result) return {std::nullopt, outcome.failure, outcome.error};
    return {observation(*outcome.result, problem.sizes.block), {}, {}};
  };
  return ProgramPlan{prediction, run};
}

namespace {

/// Calls `act`; an InputError about a step's problem gets its place in the workload.
template <typename Act>
auto in_step(std::size_t step, Act act) {
  try {
    return act();
  } catch (InputError const& refused) {
    std::string const what = refused.what(), place = fmt::format("/collective/steps/{}", step);
    throw InputError(what.starts_with("/") ? place + what : fmt::format("{}: {}", place, what));
  }
}

/// The file of a job, which says how large its messages are.
TaskFile tasks_of(problem::WorkloadJob const& job, std::size_t number) {
  std::string const place = fmt::format("/collective/jobs/{}", number);
  try {
    TaskFile file = load_tasks(job.tasks, task_format(job.tasks).value(), Bytes(1), most_goal_ranks);
    int const ranks_of_file = file.graph.tasks.ranks();
    if (ranks_of_file != job.ranks) {
      throw InputError(
          fmt::format("{}/ranks: expected {}, those of {}, got {}", place, ranks_of_file, job.tasks, job.ranks));
    }
    if (file.graph.buffers.empty()) return file;
    throw InputError(
        fmt::format("expected a file that says how large its messages are, {} counts in blocks", job.tasks));
  } catch (InputError const& refused) {
    std::string const what = refused.what();
    throw InputError(what.starts_with("/") ? what : fmt::format("{}/tasks: {}", place, what));
  }
}

SchedulePlan schedule_of(problem::Problem const& problem, theory::MachineCost const& cost) {
  Plan plan = std::visit([&](auto const& each) { return plan_for(each, cost); }, problem);
  if (auto* const schedule = std::get_if<SchedulePlan>(&plan)) return std::move(*schedule);
  throw InputError("/collective: expected a collective for which Rondo has schedules, got an MPI program");
}

}  // namespace

/// Each step has a schedule for each of its different problems; groups with equal problems share one.
Plan plan_for(problem::Workload const& workload, theory::MachineCost const& cost) {
  WorkloadPlan plan{workload, {}, theory::predict(workload, cost)};
  for (problem::WorkloadStep& step : plan.workload.steps) {
    for (problem::Problem& each : step.problems) each = resolved(each);
  }
  for (std::size_t step = 0; step < workload.steps.size(); ++step) {
    auto& plans = plan.plans.emplace_back();
    for (problem::Problem const& each : plan.workload.steps[step].problems) {
      plans.push_back(in_step(step, [&] { return schedule_of(each, cost); }));
    }
  }
  for (std::size_t job = 0; job < workload.jobs.size() && workload.has_tasks(); ++job) {
    plan.tasks.push_back(tasks_of(workload.jobs[job], job));
  }
  return plan;
}

}  // namespace rondo
