#pragma once

// Runs a workload: proves its steps one by one, then runs all of them together and each one alone.

#include <vector>

#include "run/families/plan.hpp"
#include "run/points/record.hpp"
#include "run/points/run.hpp"

namespace rondo {

/// Proves the steps, simulates all replications, and completes the record. A workload with an invalid schedule is not
/// simulated, and the record gets the error. A failure of the engine is an error of the record, too.
void fill(Record& record, WorkloadPlan const& plan, scenario::Scenario const& scenario, PointOptions const& options);

/// Returns the line on the first violation of a step or of tasks, among the schedules that `proof` selects; empty if
/// there is none.
std::string first_violation(WorkloadPlan const& plan, scenario::Scenario const& scenario, Proof proof);

}  // namespace rondo
