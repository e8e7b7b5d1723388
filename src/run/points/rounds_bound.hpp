#pragma once

// A lower bound of the rounds of a small problem, by the search of `rondo optimum`.

#include <optional>

#include "run/families/plan.hpp"
#include "scenario/scenario.hpp"

namespace rondo {

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
