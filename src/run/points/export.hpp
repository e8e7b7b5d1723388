#pragma once

// Writes the schedule of a point to files: in Rondo's own format, and in those of other programs.

#include <string>

#include "run/families/plan.hpp"
#include "run/points/atomic_file.hpp"
#include "scenario/scenario.hpp"
#include "schedule/file/schedule_json.hpp"

namespace rondo {

/// The schedule of a point in the form of a file, with its promise. The promise names the collective; if it refers to a
/// file, which would be elsewhere then, it is written out.
ScheduleFile export_schedule(SchedulePlan const& plan, scenario::Scenario const& scenario);

/// Writes the schedule of a point to the sink as GOAL text, one rank at a time. Throws InputError as plan_of does, and
/// NoRun for an invalid schedule.
void write_goal(scenario::Scenario const& scenario, std::string const& file, TextSink const& sink);
/// Writes the schedule in LogGOPSim's binary form. All its tasks are in memory at once.
void write_goal_binary(scenario::Scenario const& scenario, std::string const& file, TextSink const& sink);
/// Writes the schedule as MSCCL XML. Throws InputError also for schedules that this format cannot express
/// (msccl::of_schedule).
void write_msccl(scenario::Scenario const& scenario, std::string const& file, TextSink const& sink);

}  // namespace rondo
