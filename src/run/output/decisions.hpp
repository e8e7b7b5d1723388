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

}  // namespace rondo
