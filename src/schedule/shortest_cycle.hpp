#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rondo {

/// A shortest cycle in a directed graph, from its lowest vertex on; empty if the graph has no cycle. `edges` holds, by
/// vertex, the vertices it points to. Among several shortest cycles, the one whose lowest vertex is lowest is taken. A
/// vertex that points to itself is a cycle of one. Past 2 * 10^8 vertices looked at, the shortest cycle found so far is
/// taken for it.
std::vector<std::uint32_t> shortest_cycle(std::vector<std::vector<std::uint32_t>> const& edges);

}  // namespace rondo
