#pragma once

// Files of tasks (run/formats/task_file.hpp) that are run as points of their own on a machine, and a point's schedule
// written as one.

#include <optional>
#include <string>

#include "run/formats/task_file.hpp"
#include "run/points/judge.hpp"
#include "run/points/run.hpp"
#include "run/points/whole_file.hpp"
#include "scenario/scenario.hpp"

namespace rondo {

/// Hands the schedule of a point to the sink as GOAL text, a rank at a time. Throws InputError as plan_of does, and
/// NoRun for an invalid schedule.
void write_goal(scenario::Scenario const& scenario, std::string const& file, TextSink const& sink);

/// Writes the schedule in LogGOPSim's binary form; its tasks are in memory as a whole.
void write_goal_binary(scenario::Scenario const& scenario, std::string const& file, TextSink const& sink);
/// Writes the schedule as MSCCL XML. Throws InputError too for what that has no place for (msccl::of_schedule).
void write_msccl(scenario::Scenario const& scenario, std::string const& file, TextSink const& sink);

/// Tasks that were read from a file, the machine that runs them and the engine that times them.
struct TaskJob {
  std::string file;
  TaskFile tasks;
  Platform machine;
  scenario::Engine engine = scenario::Engine::native;
  scenario::Json expanded;  ///< what the record embeds: the file's name and checksum, and the machine whole
};

/// What the command line says of such a file.
struct TaskWords {
  std::string machine;                ///< a file that holds a machine, as `machine` of a scenario may name it
  std::optional<std::string> engine;  ///< unset: "native"
  std::optional<Bytes> chunk;         ///< the bytes of a block, for formats that do not say
  std::string promise;                ///< a file with a promise; empty: beside the file, or none
};

/// Reads the file and the machine. Throws InputError for what the format refuses, a bad machine, a machine with fewer
/// hosts than ranks or that the engine does not know, and for a size of blocks that is missing or has no place.
TaskJob load_task_job(std::string const& file, TaskFormat format, TaskWords const& words);

/// The record of the tasks before they run.
Record described(TaskJob const& job);

/// Proves what can be proved of the tasks (judge in run/families/promised_tasks.hpp) and times them. Where nobody
/// promised what they deliver, `delivered` is unset; where there are violations they are not timed.
PointResult run_task_job(TaskJob const& job, PointOptions const& options);

}  // namespace rondo
