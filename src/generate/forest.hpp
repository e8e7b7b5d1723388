#pragma once

// Spanning trees for every piece of data, packed for the routes of a machine: which message carries which piece in
// which round, so that no resource of the machine is busy for much longer than necessary.

#include <cstdint>
#include <vector>

#include "topology/network.hpp"

namespace rondo::generate {

/// A piece that one rank has and that all ranks are to get.
struct SourcePiece {
  int origin = 0;
  std::int64_t bytes = 0;
};

/// A message with one piece. The receiver gets the piece for the first time. The sender has it from before the round.
struct Branch {
  int from = 0, to = 0;
  std::uint32_t piece = 0;
};
/// The branches of each round.
using ForestRounds = std::vector<std::vector<Branch>>;

/// A packing: the hops of all trees, by round.
struct Forest {
  ForestRounds rounds;
  /// Whether each piece is a message of its own; else what two ranks have for each other in a round is one. Where
  /// messages share a resource, each piece then gets as much of it as any other one.
  bool apart = false;
};

/// The branches of all pieces, each along a tree that spans all ranks. Several ways to pack the trees are tried, and
/// the fastest one is returned (forest_times.hpp). The ways are: a ring of ranks whose messages share no resource, if a
/// search finds one; trees that use all resources evenly (forest_trees.hpp); and greedy growth that prefers rare pieces
/// and near holders (forest_growth.hpp). The function is pure: random numbers come from a fixed seed.
Forest grow_forest(RoutedNetwork const& network, std::vector<SourcePiece> const& pieces);

/// The network in which every message goes in the opposite direction.
RoutedNetwork with_reversed_routes(RoutedNetwork const& network);

/// Sends each piece once around a ring whose messages, all at once, keep no resource busy for long; a search finds the
/// ring. There are two results: the pieces of one rank travel together, or one after the other. Empty if some neighbors
/// in the ring may not talk.
std::vector<ForestRounds> along_ring(RoutedNetwork const& network, std::vector<SourcePiece> const& pieces);

}  // namespace rondo::generate
