#pragma once

// All pieces along one ring of ranks, for forest.cpp alone.

#include <optional>

#include "generate/forest.hpp"

namespace rondo::generate {

/// Each piece once around a ring whose messages, all at once, keep no resource busy for long: one that a search finds.
/// Unset where some ranks of it may not talk.
std::optional<ForestRounds> along_ring(RoutedNetwork const& network, std::vector<Seedling> const& pieces);

}  // namespace rondo::generate
