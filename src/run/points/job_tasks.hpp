#pragma once

// Workloads whose jobs are files of tasks: runs all jobs together on one machine, and each of them alone.

#include "run/families/plan.hpp"
#include "run/points/record.hpp"
#include "run/points/run.hpp"

namespace rondo {

/// The tasks of all jobs, each job on its own ranks.
TaskGraph tasks_of_jobs(WorkloadPlan const& plan);

/// Completes the record, which has the counts of all tasks already.
void fill_job_tasks(Record& record, WorkloadPlan const& plan, scenario::Scenario const& scenario,
                    PointOptions const& options);

}  // namespace rondo
