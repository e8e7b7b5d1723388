#pragma once

// Edmonds' algorithm for the cheapest spanning tree of directed edges, for forest_trees.cpp.

#include <vector>

namespace rondo::generate {

/// The tree of edges that lead away from the root with the least sum of costs (Edmonds 1967, Tarjan 1977), as the
/// parent of each vertex; the root has -1. `costs` is indexed by from * n + to; an infinite cost means that there is no
/// such edge. The result is empty if some vertex cannot be reached. It takes O(n^2) time.
std::vector<int> cheapest_arborescence(int n, int root, std::vector<double> const& costs);

}  // namespace rondo::generate
