#pragma once

// Algorithm 2 of [Mirsadeghi17], which pairs friends, for common_neighbors.cpp alone.

#include <cstdint>
#include <vector>

#include "generate/common_neighbors.hpp"
#include "generate/common_neighbors_friends.hpp"

namespace rondo::generate {

/// A matching of friends, and the cost of finding it.
struct Matching {
  static constexpr std::int32_t alone = -1;
  std::vector<std::int32_t> partner;  ///< the partner of each rank, or `alone`
  int rounds = 0;                     ///< r: rounds of Algorithm 2
  std::int64_t messages = 0;          ///< SetupMessages::pairing
  std::int64_t messages_printed = 0;  ///< SetupMessages::pairing_printed
};

/// Pairs friends greedily. If any ranks are friends, at least two of them pair, whatever the rule for ties. Proof:
/// among the friendships with the most common neighbors take the rank that ties prefer and, of its friends there, the
/// preferred one. These two choose each other in the first round.
Matching pair_friends(FriendTable const& friends, int ranks, FriendTie tie, Suitors suitors);

}  // namespace rondo::generate
