#pragma once

// The run of a program as a graph of tasks, for formats and counts that know no programs.

#include "run/points/simulate.hpp"
#include "schedule/task_graph.hpp"

namespace rondo {

/// The messages of a run. A task requires those tasks of its rank that had ended when it started, unless others of them
/// require these already. If nothing of a rank was under way before a task, the time since the last end is a
/// calculation, in whole nanoseconds. The messages of a pair have the tags 0, 1, ... in their order.
TaskGraph tasks_of_run(Timeline const& run);
/// The same for a run that is made now, as timeline_of() makes it.
TaskGraph run_of(Plan const& plan, scenario::Scenario const& scenario, std::string const& file);

}  // namespace rondo
