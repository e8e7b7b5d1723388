#pragma once

// Runs a workload: proves its steps one by one, then runs all of them together and each one alone.

#include <vector>

#include "run/families/plan.hpp"
#include "run/points/record.hpp"
#include "run/points/run.hpp"

namespace rondo {

/// Completes the record.
void fill(Record& record, WorkloadPlan const& plan, scenario::Scenario const& scenario, PointOptions const& options);

/// The first line about a step with an invalid schedule, among those that are proved by default; empty if there is
/// none.
std::string first_violation(WorkloadPlan const& plan, scenario::Scenario const& scenario, Proof proof);

}  // namespace rondo
