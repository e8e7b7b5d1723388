#pragma once

// The decisions of `rondo tune` about programs, as a text for people and as JSON for programs.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "run/points/tune_program.hpp"

namespace rondo {

/// Tables for people, each followed by the environment variables that have to be set.
std::string program_decisions_table(std::vector<ProgramDecisions> const& decisions);
/// A list of an object for each, with seconds as numbers.
nlohmann::ordered_json program_decisions_json(std::vector<ProgramDecisions> const& decisions);

}  // namespace rondo
