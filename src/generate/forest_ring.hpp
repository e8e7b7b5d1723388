#pragma once

// All pieces along one ring of ranks, for forest.cpp alone.

#include <vector>

#include "generate/forest.hpp"

namespace rondo::generate {

/// Each piece once around a ring whose messages, all at once, keep no resource busy for long: one that a search finds.
/// Those of one rank together, and one after the other. Empty where some ranks of the ring may not talk.
std::vector<ForestRounds> along_ring(RoutedNetwork const& network, std::vector<Seedling> const& pieces);

}  // namespace rondo::generate
