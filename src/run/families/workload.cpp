// Workloads: the schedules of their steps, each with the promise that it keeps.

#include <fmt/format.h>

#include "base/error.hpp"
#include "run/families/answers.hpp"
#include "run/families/resolve.hpp"

namespace rondo {
namespace {

/// What a step's problem refuses, at its place in the workload.
template <typename Act>
auto in_step(std::size_t step, Act act) {
  try {
    return act();
  } catch (InputError const& refused) {
    std::string const what = refused.what(), place = fmt::format("/collective/steps/{}", step);
    throw InputError(what.starts_with("/") ? place + what : fmt::format("{}: {}", place, what));
  }
}

SchedulePlan schedule_of(problem::Problem const& problem, theory::MachineCost const& cost) {
  Plan plan = std::visit([&](auto const& each) { return plan_for(each, cost); }, problem);
  if (auto* const schedule = std::get_if<SchedulePlan>(&plan)) return std::move(*schedule);
  throw InputError("/collective: expected a collective that is a schedule of Rondo's, got an MPI program");
}

}  // namespace

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
  return plan;
}

}  // namespace rondo
