#pragma once

// Proves, counts and simulates the tasks of a file. There are three uses: a scenario with a custom schedule that is a
// file of tasks, a file of tasks that is a point by itself (run/points/task_point.hpp), and a job of a workload that is
// a file of tasks.

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

/// The tasks that an engine simulates. In an MSCCL algorithm a send only puts its message into the connection, so the
/// next step of its thread block need not wait for the receive. Tasks of other formats are not changed.
TaskGraph simulated_tasks(TaskFile const& tasks);

/// The tasks of all jobs of a workload in one graph, each job on its own ranks. With `only`, the other jobs keep their
/// ranks, but have no tasks.
TaskGraph tasks_of_jobs(WorkloadPlan const& plan, std::optional<std::size_t> only = {});

/// Appends to the record's error that the schedule needs buffered sends, if it does: all tasks complete if sends are
/// buffered, but not if they are synchronous. The record must have the error of a deadlock.
void explain_deadlock(Record& record, TaskGraph const& tasks, Platform const& machine);

/// Adds the counts of the tasks, their proof (unless options.proof is off) and their time to the record. Without a
/// promise `delivered` stays unset. Tasks with violations, or with a message over a link that the machine does not
/// have, are not simulated. The record's error, which does not name the file, is a violation, a missing link, a failed
/// simulation, or a difference between the messages that the engine carried and `counted`. Returns when each rank
/// finishes; empty after an error.
std::vector<Seconds> simulate_tasks(Record& record, TaskFile const& tasks, TaskCounts const& counted,
                                    scenario::Scenario const& scenario, PointOptions const& options);

}  // namespace rondo
