#pragma once

// Proves, counts and times tasks from a file on a machine. It runs points of scenarios whose custom schedule is such
// a file, and files of tasks that are points by themselves (run/points/task_job.hpp).

#include "engine/engine.hpp"
#include "run/formats/task_file.hpp"
#include "run/points/record.hpp"
#include "run/points/run.hpp"
#include "scenario/scenario.hpp"

namespace rondo {

/// The counts of tasks.
struct TaskCounts {
  std::int64_t messages = 0;
  Bytes bytes;     ///< all ranks
  Bytes sent;      ///< most any rank sends
  Bytes received;  ///< most any rank receives
};
TaskCounts count(TaskGraph const& graph);

/// The tasks as engines time them: a send of MSCCL waits in its connection instead of in its thread block.
TaskGraph timed(TaskFile const& tasks);

/// If the tasks would end with buffered sends, adds this to the error about a deadlock.
void explain_deadlock(Record& record, TaskGraph const& tasks, Platform const& machine);

/// Adds the counts and the proof of the tasks, and their time. Tasks with violations are not timed; without a promise,
/// `delivered` is unset. An error does not name the file. Returns when each rank finishes, if there was no error.
std::vector<Seconds> fill_tasks(Record& record, TaskFile const& tasks, TaskCounts const& counted,
                                scenario::Scenario const& scenario, PointOptions const& options);

}  // namespace rondo
