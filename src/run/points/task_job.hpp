#pragma once

// Files of tasks (run/formats/task_file.hpp) that `rondo run x.goal --machine m` runs by themselves: each is a job with
// one point.

#include <optional>
#include <string>

#include "run/points/job.hpp"

namespace rondo {

/// What the command line says of such a file.
struct TaskWords {
  std::string machine;                ///< a file that holds a machine, as `machine` of a scenario may name it
  std::optional<std::string> engine;  ///< unset: "native"
  std::optional<Bytes> chunk;         ///< the bytes of a block, for formats that do not say
  std::string promise;                ///< a file with a promise; empty: beside the file, or none
};

/// Reads the file and the machine. Throws InputError for what the format refuses, a bad machine, a machine with fewer
/// hosts than ranks or that the engine does not know, and for a size of blocks that is missing or has no place.
Job load_task_job(std::string const& file, TaskFormat format, TaskWords const& words);

}  // namespace rondo
