#pragma once

// Reads process graphs from files: edge lists and Matrix Market (topology/graph_text.hpp).

#include <optional>
#include <string>

#include "topology/graph_text.hpp"

namespace rondo::scenario {

/// Calls parse_graph (topology/graph_text.hpp) for a file of at most 8 GiB. Throws InputError also as read_file
/// (base/file.hpp) does.
WeightedGraph read_graph(std::string const& path, std::optional<int> ranks = std::nullopt);

}  // namespace rondo::scenario
