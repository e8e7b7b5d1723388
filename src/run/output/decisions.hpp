#pragma once

// What `rondo tune` decided, for a person and for a program.

#include <string>
#include <vector>

#include "run/points/tune.hpp"

namespace rondo {

/// Tables for a person.
std::string decisions_table(std::vector<Decisions> const& decisions);
/// {"decisions": [...]}: of each problem its rules, cut-offs and what they rest on; bytes and seconds as numbers.
std::string decisions_json(std::vector<Decisions> const& decisions);

/// Whether a file holds what decisions_json writes.
bool holds_decisions(std::string const& path);
/// The decisions of several such files, in the order of their scenarios (as the files first name them) and problems.
/// Throws InputError where a file holds none, where two decide the same problem, and where scenarios of one name have
/// different numbers of problems.
struct MergedDecisions {
  std::string text;
  std::vector<std::string> missing;  ///< what no file decides, a line for each scenario
};
MergedDecisions merged_decisions(std::vector<std::string> const& paths);

}  // namespace rondo
