#pragma once

// What the ranks of a program did, as a graph of tasks: for formats and counts that know no programs.

#include "run/points/timeline.hpp"
#include "schedule/task_graph.hpp"

namespace rondo {

/// The messages of a run. A task requires those of its rank that had ended when it started, but for those that others
/// of them required. If nothing of a rank was on its way before a task, the time since the last end, in whole
/// nanoseconds, is a calculation. Messages of a pair have tags 0, 1, ... in their order.
TaskGraph tasks_of_run(Timeline const& run);
/// The same of a run that is made now, as timeline_of() makes it.
TaskGraph run_of(Plan const& plan, scenario::Scenario const& scenario, std::string const& file);

}  // namespace rondo
