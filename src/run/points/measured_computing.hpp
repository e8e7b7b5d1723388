#pragma once

// `run --measure`: measures the computing of programs, for later runs to replay.

#include <functional>
#include <string>

#include "run/points/job.hpp"
#include "run/points/run.hpp"
#include "run/points/shard.hpp"

namespace rondo {

/// Measures the programs of these points whose scenario names a file of times, each number of ranks and arguments once,
/// and writes the times to the files. A file keeps its other runs, which another scenario or shard may have measured.
/// `say` is told of each measurement. Throws MeasureFailure, and InputError for a job without such a point and for a
/// file that exists and is no file of times.
void measure_computing(Job const& job, std::vector<std::size_t> const& points, PointOptions const& options,
                       std::function<void(std::string const&)> const& say);

}  // namespace rondo
