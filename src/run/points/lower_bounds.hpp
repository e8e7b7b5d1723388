#pragma once

// Lower bounds of a point that no schedule with its promise can break. One bound of the time follows from the links
// of the machine, whatever the routes are. One bound of the rounds comes from the search of `rondo optimum`.

#include <optional>

#include "optimum/network_bound.hpp"
#include "run/families/plan.hpp"
#include "scenario/scenario.hpp"

namespace rondo {

/// Unset if the machine adds nothing to theory (nothing is shared), for platform files, for schedules that are timed as
/// benchmarks, and if the computation would take too long.
std::optional<optimum::NetworkBound> machine_bound(SchedulePlan const& plan, scenario::Scenario const& scenario);
/// The same for tasks. Unset too if nothing is promised of blocks, or if the sizes of blocks are unknown.
std::optional<optimum::NetworkBound> machine_bound(TaskPlan const& plan, scenario::Scenario const& scenario);

/// The bound, and the argument for it.
struct RoundsBound {
  int rounds = 0;
  /// Of the time, if the machine has linear timing: a rank begins no more messages than it has ports in the least time
  /// that a message takes, and passes nothing on earlier. So messages can be put into rounds of that length.
  Seconds time{0};
};

/// No schedule that keeps the promise, over links of the class for which the plan's bounds are made, and over those of
/// a machine with `neighbors_only`, has fewer rounds, however large its messages are. Unset if the problem is too large
/// to be searched for every point. The effort is counted in steps of the solver, not in time, so that the bound is the
/// same on every machine.
std::optional<RoundsBound> rounds_bound(SchedulePlan const& plan, scenario::Scenario const& scenario);
/// The same for tasks, over any links that the machine allows. Unset too if they promise nothing of blocks.
std::optional<RoundsBound> rounds_bound(TaskPlan const& plan, scenario::Scenario const& scenario);

}  // namespace rondo
