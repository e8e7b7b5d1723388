#pragma once

// The lower bound of the time that follows from the machine: no schedule that keeps the promise is faster, whatever
// its routes and the machine's timing.

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

}  // namespace rondo
