#pragma once

// The options of commands that look for the best algorithm at block sizes.

#include <string>
#include <vector>

#include "cli/options.hpp"
#include "run/points/tune.hpp"

namespace rondo::cli {

struct SearchWords {
  std::string from = "1B", to = "1MiB";
  int per_doubling = 2;
  std::string tolerance = "2%";
  std::vector<std::string> segments{"8KiB", "64KiB", "512KiB"};
  std::string records = {};
  std::string by = "mean";  ///< for tune alone, as the next one
  std::string robust = {}, interval = {};
};

/// --from, --to, --per-doubling, --tolerance, --segments, --records; `segments_help` says what the last ones are for.
void add_search_words(CLI::App& command, SearchWords& words, char const* segments_help);

/// What they and the options of points say of a search. It says how far it is, and keeps its records. Throws
/// InputError, which names the option or the file.
TuneOptions search_options(SearchWords const& words, PointWords const& points);

}  // namespace rondo::cli
