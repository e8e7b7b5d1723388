#pragma once

// Proves, counts and times tasks from a file on a machine: points of scenarios whose custom schedule is such a file,
// files of tasks that are points by themselves (run/points/task_point.hpp), and the jobs of workloads that are such
// files.

#include <cstddef>
#include <optional>

#include "engine/engine.hpp"
#include "run/formats/task_file.hpp"
#include "run/points/record.hpp"
#include "run/points/run.hpp"
#include "scenario/scenario.hpp"

namespace rondo {

/// The messages and bytes of a graph of tasks.
struct TaskCounts {
  std::int64_t messages = 0;
  Bytes bytes;     ///< sent by all ranks
  Bytes sent;      ///< by the rank that sends most
  Bytes received;  ///< by the rank that receives most
};
TaskCounts count(TaskGraph const& graph);

/// The tasks as engines time them. In a file of MSCCL a send waits in its connection instead of in its thread block;
/// tasks of other formats stay as they are.
TaskGraph timed(TaskFile const& tasks);

/// The tasks of all jobs of a workload in one graph, each job on its own ranks, or those of one job alone.
TaskGraph tasks_of_jobs(WorkloadPlan const& plan, std::optional<std::size_t> only = {});

/// Adds to the record's error, which must be one about a deadlock, that the schedule needs buffered sends. Adds nothing
/// unless the tasks end with buffered sends and do not end with synchronous ones.
void explain_deadlock(Record& record, TaskGraph const& tasks, Platform const& machine);

/// Adds the counts of the tasks, their proof (unless options.proof is off) and their time to the record. Without a
/// promise `delivered` stays unset. Tasks with violations, or with a message over a link that the machine does not
/// have, are not timed. This, a failed simulation, and a simulation that carries other messages than `counted` are the
/// record's error, which does not name the file. Returns when each rank finishes; empty after an error.
std::vector<Seconds> fill_tasks(Record& record, TaskFile const& tasks, TaskCounts const& counted,
                                scenario::Scenario const& scenario, PointOptions const& options);

}  // namespace rondo
