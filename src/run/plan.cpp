#include "run/plan.hpp"

#include <algorithm>

#include "run/family.hpp"

namespace rondo {

using scenario::Scenario;

Plan plan_of(Scenario const& scenario) {
  return std::visit([&](auto const& problem) { return plan_for(problem, scenario); }, scenario.problem);
}

Names problem_names(Scenario const& scenario) {
  Names names = std::visit([&](auto const& problem) { return names_for(problem, scenario); }, scenario.problem);
  names["p"] = scenario::ranks(scenario.problem);
  names["m"] = static_cast<double>(scenario.block.value);
  names["alpha"] = scenario.machine.latency.value;
  names["beta"] = 1 / scenario.machine.bandwidth.value;
  return names;
}

theory::LinearCost linear_cost(Platform const& machine) { return {machine.latency, machine.bandwidth}; }

theory::LinearCost cheapest_cost(Platform const& machine) {
  theory::LinearCost const cost = linear_cost(machine);
  if (machine.ranks_per_host == 1) return cost;
  return {std::min(cost.alpha, machine.intra_latency.value_or(cost.alpha)),
          std::max(cost.bandwidth, machine.intra_bandwidth.value_or(cost.bandwidth))};
}

bool links_unshared(Platform const& machine) { return !shares_bandwidth(machine); }

}  // namespace rondo
