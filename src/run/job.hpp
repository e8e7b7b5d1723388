#pragma once

// A scenario file on its way through the program: loaded and checked whole before its first point runs.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "run/judge.hpp"
#include "run/point.hpp"
#include "scenario/scenario.hpp"

namespace rondo {

/// What the command line changes in every scenario it reads.
struct Overrides {
  std::vector<std::string> sets;      ///< `/pointer=value`
  std::optional<std::string> engine;  ///< stands for `/engine=...`
};

struct Job {
  std::string file;
  scenario::Sweep sweep;
  std::vector<scenario::Claim> claims;
};

/// Loads a scenario file, parses every point of its sweep, loads the platform files it names and checks the names in
/// its claims. Throws InputError.
Job load_job(std::string const& file, Overrides const& overrides);

/// Runs the points in order and hands each result on as soon as it is there.
void run_job(Job const& job, PointOptions const& options, std::function<void(PointResult)> const& on_result);

/// The file itself, or every *.json below a folder in the order of their paths. Throws InputError where there is none.
std::vector<std::string> scenario_files(std::vector<std::string> const& files_or_folders);

/// Generates the schedule of a point without running it, so that what a generator refuses is known.
/// Throws InputError, which names the file.
void try_point(scenario::Scenario const& scenario, std::string const& file);

}  // namespace rondo
