#pragma once

// Runs the points of a job and hands over their records. One point that fails, ends its process or takes too long is a
// record of its own and disturbs no other.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "run/points/job.hpp"
#include "run/points/run.hpp"
#include "run/points/workers.hpp"

namespace rondo {

/// Runs these points (ascending indices into the sweep), `jobs` at a time in processes of their own, or one after the
/// other in this process. Delivers the results in their order, each one as soon as it and all before it exist, without
/// the names of the problem.
void run_job(Job const& job, std::vector<std::size_t> const& points, PointOptions const& options, int jobs,
             std::function<void(PointResult)> const& on_result);

/// Runs these points in processes of their own, `options.jobs` at a time, even a single one. Delivers the records as
/// lines of JSON (record.hpp), in their order.
void run_rows(Job const& job, std::vector<std::size_t> const& points, PointOptions const& options,
              WorkerOptions workers, std::function<void(std::string)> const& on_row);

}  // namespace rondo
