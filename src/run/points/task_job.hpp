#pragma once

// Files of tasks (run/formats/task_file.hpp) that `rondo run x.goal --machine m` runs by themselves. Each becomes a
// job with a single point, which runs like the point of a scenario.

#include <string>

#include "run/points/job.hpp"

namespace rondo {

/// The options of the command line for such a file, as the user wrote them. A text is empty if its option is absent.
struct TaskWords {
  std::string machine;  ///< a file that holds a machine, as `machine` of a scenario may name it
  std::string chunk;    ///< the bytes of a block, for formats that do not say
  std::string promise;  ///< a file with a promise; empty: beside the file, or none
};

/// Reads the file and the machine. The engine is "native" unless `overrides` name another one. Throws InputError if the
/// format refuses the file, if the machine is wrong, has fewer hosts than there are ranks or is unknown to the engine,
/// if a size of blocks is missing or superfluous, and for --set.
Job load_task_job(std::string const& file, TaskFormat format, TaskWords const& words, Overrides const& overrides);

}  // namespace rondo
