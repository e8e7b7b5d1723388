#pragma once

// The options that `tune` and `check-rules` share: both search for the best algorithm of each block size.

#include <string>
#include <vector>

#include "cli/options.hpp"
#include "run/points/tune.hpp"

namespace rondo::cli {

/// The options as the user wrote them, with their defaults.
struct SearchArguments {
  std::string from = "1B", to = "1MiB";
  int per_doubling = 2;
  std::string tolerance = "2%";
  std::vector<std::string> segments{"8KiB", "64KiB", "512KiB"};
  std::string records = {};
  std::string by = "mean";  ///< for tune alone, as the next one
  std::string robust = {}, interval = {};
};

/// Adds --from, --to, --per-doubling, --tolerance, --segments and --records. `segments_help` explains the segments.
void add_search_options(CLI::App& command, SearchArguments& arguments, char const* segments_help);

/// The options of a search that follow from these arguments and the options of points. The search reports its progress,
/// and keeps its records. Throws InputError with the name of the option or the file.
TuneOptions search_options(SearchArguments const& arguments, PointArguments const& points);

}  // namespace rondo::cli
