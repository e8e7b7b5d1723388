#pragma once

// Trees that use all resources of a machine as evenly as possible, for forest.cpp alone.
//
// How fast pieces can spread over fixed ways is a linear program: a share of each piece over each spanning tree, so
// that no resource is busy for longer than T, of least T. Its dual gives each resource a price y, all of them 1 in sum:
// T is at least the sum over the pieces of bytes times the cheapest tree from its origin, where an edge costs the sum
// of y times seconds per byte on its way (Edmonds 1972). The cheapest tree is a cheapest arborescence. Prices grow with
// loads, and each piece in turn is taken out and put over the cheapest tree again, until nothing improves.

#include <cstdint>
#include <optional>
#include <vector>

#include "generate/forest.hpp"

namespace rondo::generate {

struct PackedTrees {
  std::vector<std::vector<int>> parents;  ///< by piece, then rank; -1: its origin
  double busiest_s = 0;                   ///< for so long the busiest resource is busy
  double at_least_s = 0;                  ///< whatever the trees, some resource is busy for as long
};

/// Unset if some rank cannot be reached. Pure: what is drawn comes from a fixed seed.
std::optional<PackedTrees> pack_trees(RoutedNetwork const& network, std::vector<Seedling> const& pieces);

/// The edges of the trees in rounds, in which no resource is busy for longer than `round_s` unless with one piece:
/// those first that are followed by most others of their tree, one after the other.
ForestRounds rounds_of_trees(RoutedNetwork const& network, std::vector<Seedling> const& pieces,
                             std::vector<std::vector<int>> const& parents, double round_s);

}  // namespace rondo::generate
