#pragma once

// The decisions of `rondo tune` as a text for people and as JSON for programs.

#include <string>
#include <vector>

#include "run/points/tune.hpp"

namespace rondo {

/// Tables for a person.
std::string decisions_table(std::vector<Decisions> const& decisions);
/// {"decisions": [...]}: for each problem its rules, cut-offs and the facts on which they rest; bytes and seconds are
/// numbers.
std::string decisions_json(std::vector<Decisions> const& decisions);

/// Whether a file was written by decisions_json.
bool holds_decisions(std::string const& path);
/// The decisions of several such files, in the order of their scenarios (as the files first name them) and problems.
/// Throws InputError if a file has no decisions, if two files decide the same problem, and if scenarios of one name
/// have different numbers of problems.
struct MergedDecisions {
  std::string text;
  std::vector<std::string> missing;  ///< what no file decides, a line for each scenario
};
MergedDecisions merged_decisions(std::vector<std::string> const& paths);

}  // namespace rondo
