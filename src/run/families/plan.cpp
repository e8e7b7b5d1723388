#include "run/families/plan.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "run/families/answers.hpp"

namespace rondo {

using scenario::Scenario;

namespace {

/// The result of `act`, whose InputErrors get the file's name.
template <typename Act>
auto in_file(std::string const& file, Act act) {
  try {
    return act();
  } catch (InputError const& refused) {
    throw InputError(file + ": " + refused.what());
  }
}

bool has_linear_timing(Platform const& machine) { return machine.timing == TimingModel::linear; }

/// Closed forms and bounds of times are those of the linear model.
void forget_times(Prediction& prediction) {
  prediction.theory.time_s.reset();
  prediction.bound.time_s.reset();
  prediction.exact = false;
}

/// Whether a rank posts more messages in a round than its ports serve at once.
bool posts_beyond(Schedule const& schedule, int ports) {
  auto const too_many = [&](Program const& program) {
    for (int round = 1; round <= program.rounds(); ++round) {
      if (std::ssize(program.sends(round)) > ports || std::ssize(program.receives(round)) > ports) return true;
    }
    return false;
  };
  return schedule.promises.ports == 0 && std::any_of(schedule.programs.begin(), schedule.programs.end(), too_many);
}

}  // namespace

Plan plan_of(Scenario const& scenario, std::string const& file) {
  Plan plan = in_file(file, [&] {
    return std::visit([&](auto const& problem) { return plan_for(problem, scenario); }, scenario.problem);
  });
  if (!has_linear_timing(scenario.machine)) {
    std::visit([](auto& each) { forget_times(each.prediction); }, plan);
  }
  // Bounds on rounds are those of rounds that the ports serve at once; of a longer one they say nothing.
  if (auto* const schedule = std::get_if<SchedulePlan>(&plan)) {
    if (posts_beyond(schedule->schedule, scenario.machine.ports)) schedule->prediction.bound.rounds.reset();
  }
  return plan;
}

SchedulePlan const& schedule_plan(Plan const& plan, std::string const& file) {
  if (auto const* schedule = std::get_if<SchedulePlan>(&plan)) return *schedule;
  throw InputError(file + ": expected a point with a schedule, this one is an MPI program");
}

void validate(Scenario const& scenario, std::string const& file) {
  in_file(file, [&] {
    std::visit([&](auto const& problem) { validate(problem, scenario); }, scenario.problem);
    return true;
  });
}

Names problem_names(Scenario const& scenario, std::string const& file) {
  Names names = in_file(file, [&] {
    return std::visit([&](auto const& problem) { return names_for(problem, scenario); }, scenario.problem);
  });
  names["p"] = scenario::ranks(scenario.problem);
  names["m"] = static_cast<double>(scenario.block.value);
  names["ports"] = scenario.machine.ports;
  if (has_linear_timing(scenario.machine)) {
    names["alpha"] = scenario.machine.latency.value;
    names["beta"] = 1 / scenario.machine.bandwidth.value;
  } else {
    names.erase("m_cut");
  }
  return names;
}

Prediction unpredicted() { return {{}, {}, std::nullopt}; }

theory::LinearCost linear_cost(Platform const& machine) {
  // Another model has no alpha and beta; what is made of these then, plan_of and problem_names throw away.
  if (!has_linear_timing(machine)) return {Seconds(0), BytesPerSecond(1)};
  return {machine.latency, machine.bandwidth};
}

theory::LinearCost cheapest_cost(Platform const& machine) {
  theory::LinearCost const cost = linear_cost(machine);
  if (machine.ranks_per_host == 1) return cost;
  return {std::min(cost.alpha, machine.intra_latency.value_or(cost.alpha)),
          std::max(cost.bandwidth, machine.intra_bandwidth.value_or(cost.bandwidth))};
}

bool links_unshared(Platform const& machine) { return !shares_bandwidth(machine); }

bool distance_is_free(Platform const& machine) {
  return machine.hop_latency == Seconds(0) || std::holds_alternative<FullyConnected>(machine.topology);
}

}  // namespace rondo
