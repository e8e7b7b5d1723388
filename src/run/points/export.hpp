#pragma once

// Writes the schedule of a point to files: in Rondo's own format, and in those of other programs.

#include <string>

#include "run/families/plan.hpp"
#include "run/points/atomic_file.hpp"
#include "scenario/scenario.hpp"
#include "schedule/file/schedule_json.hpp"

namespace rondo {

/// The schedule of a point in the form of a file, with its promise. The promise names the collective with its
/// parameters. It is written out as a list of all blocks if the scenario states no such promise as an object, or if
/// that names a graph in a file, which the reader might not find. The schedule is not checked.
ScheduleFile export_schedule(SchedulePlan const& plan, scenario::Scenario const& scenario);

/// Writes the schedule of a point to the sink as GOAL text, one rank at a time. A program is run first, and the tasks
/// of its run are written. Throws InputError as plan_of does and for a workload, and NoRun for an invalid schedule or a
/// run that failed.
void write_goal(scenario::Scenario const& scenario, std::string const& file, TextSink const& sink);
/// Writes the same in LogGOPSim's binary form. All tasks are in memory at once. Throws as write_goal.
void write_goal_binary(scenario::Scenario const& scenario, std::string const& file, TextSink const& sink);
/// Writes the schedule as MSCCL XML. Throws InputError as plan_of does, for points whose plan is no schedule in rounds,
/// and for schedules that this format cannot express (msccl::of_schedule); NoRun for an invalid schedule.
void write_msccl(scenario::Scenario const& scenario, std::string const& file, TextSink const& sink);

}  // namespace rondo
