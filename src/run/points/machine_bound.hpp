#pragma once

// The lower bound of a time that a machine sets: no schedule of what is promised is faster, by whatever routes and
// under whatever timing the machine has.

#include <optional>

#include "optimum/network_bound.hpp"
#include "run/families/plan.hpp"
#include "scenario/scenario.hpp"

namespace rondo {

/// Unset where the machine says no more than theory does (nothing is shared), for platform files, for schedules timed
/// as benchmarks and where it would take too long to say.
std::optional<optimum::NetworkBound> machine_bound(SchedulePlan const& plan, scenario::Scenario const& scenario);

}  // namespace rondo
