#pragma once

// GOAL text: a point's schedule written as one, and one run as a point of its own on a machine.

#include <optional>
#include <string>

#include "run/points/judge.hpp"
#include "run/points/run.hpp"
#include "run/points/whole_file.hpp"
#include "scenario/scenario.hpp"
#include "schedule/task_graph.hpp"

namespace rondo {

/// Hands the schedule of a point to the sink as GOAL text, a rank at a time. Throws InputError as plan_of does, and
/// NoRun for an invalid schedule.
void write_goal(scenario::Scenario const& scenario, std::string const& file, TextSink const& sink);

/// Whether a file is GOAL text by its name: *.goal.
bool is_goal(std::string const& file);

/// Tasks read from GOAL text, the machine that runs them and the engine that times them.
struct GoalJob {
  std::string file;
  TaskGraph graph;
  Platform machine;
  scenario::Engine engine = scenario::Engine::native;
  scenario::Json expanded;  ///< what the record embeds: the text's name and checksum, and the machine whole
};

/// Reads the text and a file that holds a machine, as `machine` of a scenario may name it. Without an engine it is
/// "native". Throws InputError for bad text, a bad machine, a machine with fewer hosts than ranks or that the engine
/// does not know.
GoalJob load_goal(std::string const& file, std::string const& machine, std::optional<std::string> const& engine);

/// Checks and times the tasks. Nobody promised what they deliver, so `delivered` is unset; what makes them impossible
/// to run (schedule/task_graph.hpp, check) are the record's violations, and then they are not timed.
PointResult run_goal(GoalJob const& job, PointOptions const& options);

}  // namespace rondo
