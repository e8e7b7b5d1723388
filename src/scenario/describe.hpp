#pragma once

// The schema as text for people in a terminal; describe() in scenario.hpp is the whole of it.

#include <string>
#include <vector>

namespace rondo::scenario {

/// A part of describe() by its heading (collectives, algorithms, ..., machine), or all collectives, neighborhoods,
/// graphs, patterns and topologies with this name and their parameters. Throws InputError, without a place, for any
/// other name.
std::string describe(std::string const& word);

/// The meanings of a key with this name, or at this place ("/machine/latency"): a line for each meaning, with the
/// object that has the key; empty if there is none.
std::string explain_key(std::string const& key);
/// All keys that the schema describes.
std::vector<std::string> all_keys();

/// The keys of a kind of collective, neighborhood, graph, pattern or topology; empty for any other name.
std::string explain_kind(std::string const& word);
/// The names of all such kinds.
std::vector<std::string> all_kinds();
/// The collectives that have an algorithm with this name; empty if there is none.
std::string explain_algorithm(std::string const& word);

}  // namespace rondo::scenario
