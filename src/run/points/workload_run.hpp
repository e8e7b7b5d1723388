#pragma once

// Runs a workload whose steps are proved (proof.hpp): all steps together, and each one alone.

#include "run/families/plan.hpp"
#include "run/points/record.hpp"
#include "run/points/run.hpp"

namespace rondo {

/// Proves the steps, simulates all replications, and completes the record. A workload with an invalid schedule is not
/// simulated, and the record gets the error. A failure of the engine is an error of the record, too.
void fill(Record& record, WorkloadPlan const& plan, scenario::Scenario const& scenario, PointOptions const& options);

}  // namespace rondo
