#pragma once

// Finds a shortest cycle, by which errors about deadlocks name as few ranks or tasks as possible.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rondo {

/// A shortest cycle in a directed graph, beginning with its lowest vertex; empty if the graph has no cycle. `edges`
/// holds by vertex the vertices that it points to. Of several shortest cycles it is the one whose lowest vertex is
/// lowest. A vertex that points to itself is a cycle of one. The search gives up after it has looked at 2 * 10^8
/// vertices, and returns the shortest cycle that it has found by then.
std::vector<std::uint32_t> shortest_cycle(std::vector<std::vector<std::uint32_t>> const& edges);

}  // namespace rondo
