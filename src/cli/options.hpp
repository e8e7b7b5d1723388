#pragma once

// Options that several commands share: changes of the scenario, permissions for programs and folders, limits, and
// the remarks on standard error that go with them. `tune` and `check-rules` also share the options of a search for
// the best algorithm of each block size. Each command adds them to its parser by one call.

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "run/points/job.hpp"
#include "run/points/run.hpp"
#include "run/points/tune.hpp"

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

/// The new file into which a command writes.
struct OutputFile {
  std::string path;  ///< empty: standard output
  bool force = false;

  /// Throws InputError unless the file may be written, so that long work is not done in vain.
  void expect_writable() const;
  /// Writes the text to the file, or prints it.
  void write(std::string_view text) const;
};
/// Adds --output, which is returned, and --force.
CLI::Option* add_output_options(
    CLI::App& command, OutputFile& output,
    std::string const& help = "write to this new file, which appears only when it is complete");

/// The time in --timeout; 0s if the text is empty. Throws InputError.
Seconds timeout_of(std::string const& text);
/// The size, or sizes, in an option, from 1B to 1TiB. Throws InputError with the name of the option.
Bytes size_of(char const* option, std::string const& text);
std::vector<Bytes> sizes_of(char const* option, std::vector<std::string> const& texts);

/// The point of a scenario's sweep that `--point` names. Throws InputError if there is no such point.
scenario::Scenario chosen_point(std::string const& file, std::size_t point, PointArguments const& arguments);

/// Prints remarks on standard error.
void say_remarks(std::vector<std::string> const& remarks);
/// The remarks of a job on edge lists, on its machine and on keys without effect.
void remark_on_input(Job const& job);
/// These, after the remark that distance costs nothing on the topology of the first point.
void remark_on_all(Job const& job);

/// The options as the user wrote them, with their defaults.
struct SearchArguments {
  std::string from = "1B", to = "1MiB";
  int per_doubling = 2;
  std::string tolerance = "2%";
  std::vector<std::string> segments{"8KiB", "64KiB", "512KiB"};
  std::string records = {};                ///< a file of JSON lines; empty: records are not kept
  std::string by = "mean";                 ///< only `tune` has this option and the next two
  std::string robust = {}, interval = {};  ///< percentages; empty: the option is absent
};

/// Adds --from, --to, --per-doubling, --tolerance, --segments and --records. `segments_help` explains the segments. The
/// options write into `arguments`, which must live as long as the command.
void add_search_options(CLI::App& command, SearchArguments& arguments, char const* segments_help);

/// The options of a search that follow from these arguments and the options of points; the caller reads the segments.
/// The search reports its progress, unless it has to be quiet, and keeps its records if --records names a file. Throws
/// InputError with the name of the option or the file.
TuneOptions search_options(SearchArguments const& arguments, PointArguments const& points);

}  // namespace rondo::cli
