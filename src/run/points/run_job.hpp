#pragma once

// Runs the points of a job and hands over their records. A point that fails, ends its process or takes too long has a
// record with an error, and the other points run all the same. Both functions throw the InputError of a point.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "run/points/job.hpp"
#include "run/points/run.hpp"
#include "run/points/workers.hpp"

namespace rondo {

/// Runs these points (ascending indices into the sweep). If `jobs` is greater than 1, so many run at a time in
/// processes of their own; otherwise they run one after the other, in this process or, under a time limit, each in a
/// process of its own. Delivers the results in their order, each one as soon as it and all before it exist, without the
/// names of the problem.
void run_job(Job const& job, std::vector<std::size_t> const& points, PointOptions const& options, int jobs,
             std::function<void(PointResult)> const& on_result);

/// Runs these points in processes of their own, `workers.jobs` at a time, even a single one. Delivers the records as
/// lines of JSON (record.hpp), in their order. `workers.ahead` is set by this function.
void run_rows(Job const& job, std::vector<std::size_t> const& points, PointOptions const& options,
              WorkerOptions workers, std::function<void(std::string)> const& on_row);

}  // namespace rondo
