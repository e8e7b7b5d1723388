#pragma once

// A scenario file as a job. It is loaded and checked as a whole before its first point runs. A file of tasks becomes a
// document and a job too (task_point.hpp).

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "run/families/plan.hpp"
#include "run/points/judge.hpp"
#include "run/points/remarks.hpp"
#include "run/points/task_point.hpp"
#include "scenario/scenario.hpp"

namespace rondo {

/// The files that a command gets as arguments, after its folders are listed.
struct ScenarioFiles {
  std::vector<std::string> scenarios;
  std::vector<std::string> machines;  ///< files of the folders that describe a machine alone
};

/// The files themselves, and all *.json below the folders in the order of their paths. Throws InputError for a folder
/// without a scenario, and for a file in one that is no JSON.
ScenarioFiles scenario_files(std::vector<std::string> const& files_or_folders);

/// The changes that the command line makes to every scenario.
struct Overrides {
  std::vector<std::string> sets;      ///< `/pointer=value`
  std::optional<std::string> engine;  ///< stands for `/engine=...`
  bool searched = false;  ///< a search chooses /algorithm and /block: they may be absent, and no claim is checked
};

/// A scenario with its points, or a file of tasks as a sweep of a single point.
struct Job {
  std::string file;
  scenario::Sweep sweep;
  std::vector<scenario::Claim> claims;
  JobRemarks remarks = {};
  /// By point, as they were read when the job was loaded; null where that is too much to keep, or files may change.
  std::vector<std::shared_ptr<ReadPoint const>> read = {};
  std::vector<Names> names = {};  ///< by point: the names of its problem; empty if there is no claim
};

/// How far a scenario is checked before its points run. listed: its points are parsed, whatever their size, but no
/// graph, schedule or program is made, so that errors which only these show are not found.
enum class Loading : std::uint8_t { whole, listed };

/// Loads a scenario file, parses every point of its sweep, loads the platform files it names and checks the names in
/// its claims. Throws InputError, also for a key that has no effect at any point (scenario/effects.hpp).
Job load_job(std::string const& file, Overrides const& overrides, Loading loading = Loading::whole);

/// Loads a file of tasks. Its engine is "native" unless `overrides` name another one. Throws InputError as
/// document_of_tasks and read_tasks do, and for --set.
Job load_task_job(std::string const& file, TaskFormat format, TaskWords const& words, Overrides const& overrides);

/// Loads a scenario from its text in the same way; `name` stands for its file.
Job load_job_text(std::string_view text, std::string const& name, Overrides const& overrides);

/// Parses the point with each algorithm of its collective. Algorithms that do not accept the problem are left out.
std::vector<scenario::Scenario> with_all_algorithms(scenario::Point point, std::string const& file);

/// A point of the job, which is read again unless the job keeps it.
std::shared_ptr<ReadPoint const> point_at(Job const& job, std::size_t i);

/// Returns the job with `change` applied to the expanded JSON of each of its points, such as another machine.
Job with_points_changed(Job job, std::function<void(scenario::Json&)> change);

/// All points of a job, as indices into its sweep.
std::vector<std::size_t> all_points(Job const& job);

/// The names that claims may use of the problem at a point.
Names names_at(Job const& job, scenario::Point const& point);

/// Makes the schedule of a point, unless it is made already, without running it, to find out whether a generator
/// refuses it. Throws InputError with the file's name.
void try_point(Job const& job, std::size_t i);

}  // namespace rondo
