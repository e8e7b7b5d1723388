#pragma once

// Reads a process graph from a file, which is an edge list or in Matrix Market format. The text is parsed in
// topology/graph_text.hpp, which does not access files.

#include <optional>
#include <string>

#include "topology/graph_text.hpp"

namespace rondo::scenario {

/// The graph in a file of at most 8 GiB. `ranks` is the number of ranks, if the caller knows it (parse_graph in
/// topology/graph_text.hpp). Throws InputError and ReadFailure as read_file (base/file.hpp) does, and InputError as
/// parse_graph does.
WeightedGraph read_graph(std::string const& path, std::optional<int> ranks = std::nullopt);

}  // namespace rondo::scenario
