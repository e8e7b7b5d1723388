#pragma once

// Options that several commands share: changes of the scenario, permissions for programs and folders, limits, and the
// remarks on standard error that go with them. Each command adds them to its parser by one call.

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "run/points/job.hpp"
#include "run/points/run.hpp"

namespace rondo::cli {

/// The options of a command that runs or reads points, as the user wrote them.
struct PointArguments {
  Overrides overrides;
  std::string engine;
  std::string verify;  ///< "on", "off", or empty: on where it is quick
  std::string timeout;
  int jobs = 1;
  bool quiet = false;
  bool programs = false;
  bool profile = false;  ///< of `run`
  std::vector<std::string> folders;

  /// Which programs scenarios may start. With `nothing`, as in a dry run, they start none, whatever the options permit.
  enum class Start : std::uint8_t { all, nothing };
  /// Grants the process what the options allow: programs, folders and the timeout (base/permissions.hpp).
  void permit(Start start = Start::all) const;
  /// The options of the run of a point. Throws InputError for a wrong time.
  PointOptions options() const;
  /// The changes of the scenario by --set and --engine.
  Overrides resolved() const;
};

/// Adds the options of add_overrides, and --verify, --timeout, --jobs and --quiet.
void add_point_options(CLI::App& command, PointArguments& arguments);
/// Adds --set, --engine, --allow-programs and --allow-path.
void add_overrides(CLI::App& command, PointArguments& arguments);

/// The size, or sizes, in an option, from 1B to 1TiB. Throws InputError with the name of the option.
Bytes size_of(char const* option, std::string const& text);
std::vector<Bytes> sizes_of(char const* option, std::vector<std::string> const& texts);

/// The point of a scenario's sweep that `--point` names. Throws InputError if there is no such point.
scenario::Scenario chosen_point(std::string const& file, std::size_t point, PointArguments const& arguments);

/// Remarks once, on standard error, if distance costs nothing on the topology of a scenario's first point.
void remark_on_distance(Job const& job);
/// Remarks, on standard error, on edge lists that may number their ranks from 1, on sizes at which a larger message is
/// faster, and on keys that have no effect at some points.
void remark_on_input(Job const& job);
/// Remarks, on standard error, if a larger message is faster on the machine in a file, and on keys of the machine that
/// belong to another timing model.
void remark_on_machine(std::string const& file, Platform const& machine);

}  // namespace rondo::cli
