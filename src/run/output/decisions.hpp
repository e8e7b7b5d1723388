#pragma once

// The decisions of `rondo tune` as a text for people and as JSON for programs.

#include <string>
#include <vector>

#include "run/points/tune.hpp"

namespace rondo {

/// The decisions as tables of text.
std::string decisions_table(std::vector<Decisions> const& decisions);
/// {"decisions": [...]}: for each problem its rules, cut-offs and the facts on which they rest; bytes and seconds are
/// numbers.
std::string decisions_json(std::vector<Decisions> const& decisions);

/// Whether a file is JSON with the key "decisions", as decisions_json writes it.
bool holds_decisions(std::string const& path);
/// The decisions of several such files as one.
struct MergedDecisions {
  std::string text;
  std::vector<std::string> missing;  ///< what no file decides, a line for each scenario
};
MergedDecisions merged_decisions(std::vector<std::string> const& paths);

}  // namespace rondo
