#pragma once

// Options that several commands share.

#include <CLI/CLI.hpp>
#include <string>

#include "run/points/job.hpp"

namespace rondo::cli {

struct PointWords {
  Overrides overrides;
  std::string engine;
  std::string verify;  ///< "on", "off", or empty: on where it is quick
  std::string timeout;
  int jobs = 1;
  bool quiet = false;

  PointOptions options() const;
  Overrides resolved() const;
};

/// --set, --engine, --verify, --timeout, --jobs, --quiet
void add_point_words(CLI::App& command, PointWords& words);
/// --set, --engine
void add_overrides(CLI::App& command, PointWords& words);

/// One point of a scenario's sweep, which `--point` names. Throws InputError when there is none of that number.
scenario::Scenario chosen_point(std::string const& file, std::size_t point, PointWords const& words);

}  // namespace rondo::cli
