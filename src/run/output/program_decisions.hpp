#pragma once

// What `rondo tune` decided for programs, for a person and for a program.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "run/points/tune_program.hpp"

namespace rondo {

/// Tables for a person, with the environment to be set behind each.
std::string program_decisions_table(std::vector<ProgramDecisions> const& decisions);
/// A list of an object for each, with seconds as numbers.
nlohmann::ordered_json program_decisions_json(std::vector<ProgramDecisions> const& decisions);

}  // namespace rondo
