#pragma once

// Proves the steps of a workload one by one, and the tasks of its jobs.

#include <cstdint>
#include <string>
#include <vector>

#include "run/families/plan.hpp"
#include "run/points/proof.hpp"
#include "scenario/scenario.hpp"

namespace rondo {

/// The result of proving the schedules of all steps and the tasks of all jobs.
struct ProvedSteps {
  bool all = true;                 ///< whether each schedule was proved
  std::int64_t violations = 0;     ///< of all groups
  double redundant = 0;            ///< blocks that ranks received although they held them
  bool needs_buffers = false;      ///< whether tasks of a job end only if sends are buffered
  std::vector<std::string> lines;  ///< a line for each violation, at most 1000
};

/// Proves the schedule of each group, except those that `proof` leaves out. Groups with the same schedule share a
/// proof, unless only neighbors on the machine may talk, because then the ranks of the group matter.
ProvedSteps proved(WorkloadPlan const& plan, scenario::Scenario const& scenario, Proof proof);

/// Returns the line on the first violation of a step or of tasks, among the schedules that `proof` selects; empty if
/// there is none.
std::string first_violation(WorkloadPlan const& plan, scenario::Scenario const& scenario, Proof proof);

}  // namespace rondo
