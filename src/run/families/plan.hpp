#pragma once

// A problem that is ready to run: a schedule with its promise, a graph of tasks, a program, or a workload. Commands
// that run or show a point ask for its plan and need not know its family.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "engine/engine.hpp"
#include "run/families/expression.hpp"
#include "run/families/observation.hpp"
#include "run/formats/task_file.hpp"
#include "scenario/scenario.hpp"
#include "schedule/collective.hpp"
#include "schedule/file/schedule_json.hpp"
#include "schedule/schedule.hpp"
#include "theory/prediction.hpp"

namespace rondo {

/// A schedule, its promise, and the predictions about it before it is simulated.
struct SchedulePlan {
  Collective collective;  ///< the promise
  Schedule schedule;      ///< how the algorithm keeps it
  Prediction prediction;
  CombiningFigures combining = {};
  std::optional<CombiningSetup> setup = {};  ///< to be simulated too
  Seconds before_each_call{0};               ///< simulated time that a call takes before its first message
  bool benchmark = false;                    ///< timed behind a barrier, by the ranks' own clocks
};

/// Tasks from a file, with the promise against which they are checked, if there is one.
struct TaskPlan {
  TaskFile tasks;
  Prediction prediction;
  bool says_sizes = false;  ///< the file says how large its messages are; else they are counted in blocks
  Bytes block{0};           ///< the size of each block of the promise, if messages are counted in blocks
};

/// An MPI program, which keeps its promise, if it has one, by itself. Its messages are known only after it has run.
struct ProgramPlan {
  Prediction prediction;
  std::function<Outcome<Observation>(Platform const& machine, EngineOptions const& options)> run;
};

/// A workload, with the plans of its problems by step, or with its tasks by job. Nothing is predicted about it as a
/// whole.
struct WorkloadPlan {
  problem::Workload workload;
  std::vector<std::vector<SchedulePlan>> plans;
  Prediction prediction;
  std::vector<TaskFile> tasks = {};
};

using Plan = std::variant<SchedulePlan, TaskPlan, ProgramPlan, WorkloadPlan>;

/// A point that has been read.
struct ReadPoint {
  scenario::Scenario scenario;
  std::shared_ptr<Plan const> plan = {};  ///< of a file of tasks, which is read as a whole; null: not made yet
};

/// When each rank arrives in a replication, counted from 0; empty if all arrive at 0.
std::vector<Seconds> arrivals_at(scenario::Scenario const& point, int replication = 0);

/// Throws InputError with the file's name if a generator refuses the problem.
Plan plan_of(scenario::Scenario const& scenario, std::string const& file);
/// The plan with the schedule `own` instead of the one in the file that the scenario names.
Plan plan_of(scenario::Scenario const& scenario, std::string const& file, ScheduleFile schedule);

/// The plan as one of a schedule in rounds. Throws InputError with the file's name if it is a program or tasks, which
/// have no rounds.
SchedulePlan const& schedule_plan(Plan const& plan, std::string const& file);

/// Throws InputError with the file's name for errors that only the whole problem shows: /collective/block_sizes that
/// yield no sizes, a program that cannot be built.
void validate(scenario::Scenario const& scenario, std::string const& file);

/// The names that a claim may use of the problem itself: p, m, ports and, under linear timing, alpha (s), beta (s per
/// byte) and m_cut; spread (s) where the scenario says when ranks come; and of its family s, d, D, V and W; senders and
/// receivers; edges, fewest_combined_once and cumulative (0 or 1).
Names problem_names(scenario::Scenario const& scenario, std::string const& file);

}  // namespace rondo
