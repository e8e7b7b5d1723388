#pragma once

// Grows spanning trees greedily, round by round, for forest.cpp alone. In each round the pieces that fewest ranks have
// are sent first, along the shortest routes that are free.

#include <optional>

#include "generate/forest.hpp"

namespace rondo::generate {

/// The rule by which branches are chosen; forest.cpp tries several.
struct GrowthRule {
  double round_s = 0;  ///< the length of a round: no resource is busy for longer
  double detour = 1;   ///< the largest allowed ratio of the distance of a holder to that of the nearest one
  bool waits = false;  ///< whether a rank that gets the piece in this round already counts as a holder when distances
                       ///< are compared
};

/// Unset if a rank cannot be reached, or if it takes more than `most` rounds.
std::optional<ForestRounds> grow(RoutedNetwork const& network, std::vector<SourcePiece> const& pieces,
                                 GrowthRule const& rule, std::size_t most);

}  // namespace rondo::generate
