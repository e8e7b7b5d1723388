#pragma once

// Trees that use all resources of a machine as evenly as possible, for forest.cpp alone.
//
// Spreading pieces fast over fixed routes is a linear program: assign shares of each piece to spanning trees, so that
// no resource is busy for longer than T, and minimize T. Its dual gives each resource a price y, and the prices sum up
// to 1. Then T is at least the sum over the pieces of their bytes times the cost of the cheapest tree from the origin,
// where an edge costs the sum of y times seconds per byte along its route (Edmonds 1972). The cheapest tree is a
// cheapest arborescence. The algorithm raises prices with loads. It takes each piece out in turn and puts it over the
// cheapest tree again, until nothing improves.

#include <cstdint>
#include <vector>

#include "generate/forest.hpp"

namespace rondo::generate {

/// The result of packing: one tree for each piece.
struct PackedTrees {
  std::vector<std::vector<int>> parents;  ///< by piece, then rank; -1: its origin
  double busiest_s = 0;                   ///< how long the busiest resource is busy
  double at_least_s = 0;  ///< a lower bound: for any trees, some resource is busy for at least this long
};

/// Trees of least price; then trees whose ranks got other parents, if these relieve the busiest resource. Empty if some
/// rank cannot be reached. Pure: what is drawn comes from a fixed seed.
std::vector<PackedTrees> pack_trees(RoutedNetwork const& network, std::vector<SourcePiece> const& pieces);

/// Sorts the edges of the trees into rounds. In a round no resource is busy for longer than `round_s`, unless by a
/// single piece. The edges that begin the longest remaining branches come first.
ForestRounds rounds_of_trees(RoutedNetwork const& network, std::vector<SourcePiece> const& pieces,
                             std::vector<std::vector<int>> const& parents, double round_s);

}  // namespace rondo::generate
