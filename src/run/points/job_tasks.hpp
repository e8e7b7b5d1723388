#pragma once

// The tasks of workloads whose jobs are files of tasks.

#include <cstddef>
#include <optional>

#include "run/families/plan.hpp"

namespace rondo {

/// The tasks of all jobs, each job on its own ranks, or those of one job alone.
TaskGraph tasks_of_jobs(WorkloadPlan const& plan, std::optional<std::size_t> only = {});

}  // namespace rondo
