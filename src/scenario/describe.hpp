#pragma once

// What the schema says, for people to read in a terminal; describe() in scenario.hpp is all of it.

#include <string>
#include <vector>

namespace rondo::scenario {

/// A part of describe() by its heading (collectives, algorithms, ..., machine), or every collective, neighborhood,
/// graph, pattern or topology of this name with its parameters. Throws InputError, without a place, for another word.
std::string describe(std::string const& word);

/// What the schema says of a key, wherever scenarios have one of that name or at that place ("/machine/latency"): a
/// line for each meaning, with the object that has it; empty where none does.
std::string explain_key(std::string const& key);
/// Every key that a scenario may have somewhere and that the schema describes.
std::vector<std::string> all_keys();

/// As describe() of a kind of collective, neighborhood, graph, pattern or topology; empty for another word.
std::string explain_kind(std::string const& word);
/// Every word that such a kind may be.
std::vector<std::string> all_kinds();
/// Which collectives go by the algorithm of this name; empty where none does.
std::string explain_algorithm(std::string const& word);

}  // namespace rondo::scenario
