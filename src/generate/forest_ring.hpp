#pragma once

// Sends all pieces along one ring of ranks, for forest.cpp alone.

#include <vector>

#include "generate/forest.hpp"

namespace rondo::generate {

/// Sends each piece once around a ring whose messages, all at once, keep no resource busy for long; a search finds the
/// ring. There are two results: the pieces of one rank travel together, or one after the other. Empty if some neighbors
/// in the ring may not talk.
std::vector<ForestRounds> along_ring(RoutedNetwork const& network, std::vector<SourcePiece> const& pieces);

}  // namespace rondo::generate
