// Workloads: the schedules of their steps, each with the promise that it keeps.

#include <fmt/format.h>

#include "base/error.hpp"
#include "run/families/answers.hpp"
#include "run/families/resolve.hpp"

namespace rondo {
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
