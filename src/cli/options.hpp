#pragma once

// Options that several commands share.

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "run/points/job.hpp"

namespace rondo::cli {

struct PointWords {
  Overrides overrides;
  std::string engine;
  std::string verify;  ///< "on", "off", or empty: on where it is quick
  std::string timeout;
  int jobs = 1;
  bool quiet = false;
  bool programs = false;
  bool profile = false;  ///< of `run`
  std::vector<std::string> folders;

  /// Lets scenarios do what these words permit; a dry run starts no program whatever they say.
  enum class Start : std::uint8_t { all, nothing };
  void permit(Start start = Start::all) const;
  PointOptions options() const;
  Overrides resolved() const;
};

/// Adds the options of add_overrides, and --verify, --timeout, --jobs and --quiet.
void add_point_words(CLI::App& command, PointWords& words);
/// Adds --set, --engine, --allow-programs and --allow-path.
void add_overrides(CLI::App& command, PointWords& words);

/// A size from 1B to 1TiB, or such sizes. Throws InputError, which names the option.
Bytes size_of(char const* option, std::string const& text);
std::vector<Bytes> sizes_of(char const* option, std::vector<std::string> const& texts);

/// The point of a scenario's sweep that `--point` names. Throws InputError when the sweep has no point of that number.
scenario::Scenario chosen_point(std::string const& file, std::size_t point, PointWords const& words);

/// Says once, on standard error, that on the topology of a scenario's first point distance costs nothing.
void remark_on_distance(Job const& job);
/// Says on standard error which edge lists may number their ranks from 1, where messages of a byte more take less time,
/// and which keys have no effect at some points.
void remark_on_input(Job const& job);
/// Says on standard error where a machine of a file lets a message of a byte more take less time, and which of its keys
/// belong to another timing model.
void remark_on_machine(std::string const& file, Platform const& machine);

}  // namespace rondo::cli
