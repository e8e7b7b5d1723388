#pragma once

// The schedule of a point in files: Rondo's own format, and those of other programs.

#include <string>

#include "run/families/plan.hpp"
#include "run/points/whole_file.hpp"
#include "scenario/scenario.hpp"
#include "schedule/file/schedule_json.hpp"

namespace rondo {

/// The schedule of a point as a file has it, with its promise: the collective by its name, or written out where it
/// names a file, which lies elsewhere then.
ScheduleFile exported(SchedulePlan const& plan, scenario::Scenario const& scenario);

/// Hands the schedule of a point to the sink as GOAL text, a rank at a time. Throws InputError as plan_of does, and
/// NoRun for an invalid schedule.
void write_goal(scenario::Scenario const& scenario, std::string const& file, TextSink const& sink);
/// Writes the schedule in LogGOPSim's binary form; its tasks are in memory as a whole.
void write_goal_binary(scenario::Scenario const& scenario, std::string const& file, TextSink const& sink);
/// Writes the schedule as MSCCL XML. Throws InputError too for what that has no place for (msccl::of_schedule).
void write_msccl(scenario::Scenario const& scenario, std::string const& file, TextSink const& sink);

}  // namespace rondo
