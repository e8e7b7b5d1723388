#pragma once

// What the schema says, for people to read in a terminal; describe() in scenario.hpp is all of it.

#include <string>
#include <vector>

namespace rondo::scenario {

/// Every collective, neighborhood, graph, pattern or topology of this name with its parameters, or the machine. Throws
/// InputError, without a place, for another word.
std::string describe(std::string const& word);

/// What the schema says of a key, wherever scenarios have one of that name: a line for each meaning, with the object
/// that has it; empty where none does.
std::string explain_key(std::string const& key);
/// Every key that a scenario may have somewhere.
std::vector<std::string> all_keys();

}  // namespace rondo::scenario
