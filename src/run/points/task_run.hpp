#pragma once

// Tasks from a file on a machine: proved, counted and timed. A point of a scenario whose custom schedule is such a
// file, and a file of tasks that is a point by itself (run/points/task_job.hpp), run by this.

#include "engine/engine.hpp"
#include "run/formats/task_file.hpp"
#include "run/points/record.hpp"
#include "run/points/run.hpp"
#include "scenario/scenario.hpp"

namespace rondo {

/// What is counted in tasks.
struct TaskCounts {
  std::int64_t messages = 0;
  Bytes bytes;     ///< all ranks
  Bytes sent;      ///< most any rank sends
  Bytes received;  ///< most any rank receives
};
TaskCounts count(TaskGraph const& graph);

/// The tasks as engines time them: MSCCL's sends wait in their connections, not in their thread blocks.
TaskGraph timed(TaskFile const& tasks);

/// Adds to the error of a deadlock that the tasks would come to their end if sends were buffered, where that is so.
void explain_deadlock(Record& record, TaskGraph const& tasks, Platform const& machine);

/// Fills in what is counted and proved of the tasks, and their time; where there are violations they are not timed, and
/// where nobody promised anything, `delivered` is unset. An error does not name the file. Returns when each rank
/// finishes, if there was no error.
std::vector<Seconds> fill_tasks(Record& record, TaskFile const& tasks, TaskCounts const& counted,
                                scenario::Scenario const& scenario, PointOptions const& options);

}  // namespace rondo
