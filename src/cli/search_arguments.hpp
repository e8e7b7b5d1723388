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
