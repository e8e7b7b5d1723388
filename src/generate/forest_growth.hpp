#pragma once

// The growing of trees, for forest.cpp alone: in each round the rarest pieces first, over the nearest ways that are
// free.

#include <optional>

#include "generate/forest.hpp"

namespace rondo::generate {

struct GrowthRule {
  double round_s = 0;  ///< no resource is busy for longer in a round
  double detour = 1;   ///< a piece comes from a holder that is at most so many times as far as the nearest one
  bool waits = false;  ///< whether a rank that gets the piece in this round counts as its holder there
};

/// Unset where a rank cannot be reached, or it takes more than `most` rounds.
std::optional<ForestRounds> grow(RoutedNetwork const& network, std::vector<Seedling> const& pieces,
                                 GrowthRule const& rule, std::size_t most);

}  // namespace rondo::generate
