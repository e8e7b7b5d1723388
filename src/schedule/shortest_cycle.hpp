#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rondo {

/// A shortest cycle in a directed graph, from its lowest vertex on: by vertex, the vertices it points to. Of several
/// the one whose lowest vertex is lowest; empty if there is none. A vertex that points to itself is a cycle of one.
/// Past 2 * 10^8 vertices looked at, the shortest cycle found so far is taken for it.
std::vector<std::uint32_t> shortest_cycle(std::vector<std::vector<std::uint32_t>> const& edges);

}  // namespace rondo
