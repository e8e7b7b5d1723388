#pragma once

// The cheapest spanning tree of directed edges, for forest_trees.cpp.

#include <vector>

namespace rondo::generate {

/// The parent of each vertex but the root's, which is -1, in a tree of edges that lead away from the root, of least
/// sum of costs (Edmonds 1967, Tarjan 1977). `costs` by from * n + to; infinite: there is no such edge. Empty if some
/// vertex cannot be reached. Takes O(n^2).
std::vector<int> cheapest_arborescence(int n, int root, std::vector<double> const& costs);

}  // namespace rondo::generate
