#pragma once

// Pairs friends by a greedy matching: Algorithm 2 of [Mirsadeghi17]. Two ranks are friends if they have at least theta
// common targets (common_neighbors.hpp). Only common_neighbors.cpp includes this file.

#include <cstdint>
#include <vector>

#include "generate/common_neighbors.hpp"
#include "generate/common_neighbors_friends.hpp"

namespace rondo::generate {

/// A matching of friends, and the rounds and messages that the distributed algorithm spends to find it.
struct Matching {
  static constexpr std::int32_t unpaired = -1;
  std::vector<std::int32_t> partner;  ///< the partner of each rank, or `unpaired`
  int rounds = 0;                     ///< of Algorithm 2, until every rank has paired or has nobody left to choose
  std::int64_t messages = 0;          ///< of lines 23 and 27, to all friends that are neither paired nor terminal
  std::int64_t messages_printed = 0;  ///< the same to the friends in F only, as the paper prints it
};

/// Pairs friends greedily. `tie` decides between friends with equally many common neighbors, and `suitors` decides
/// which offers a rank may accept. If there are friends at all, at least one pair forms, whatever the rule for ties.
/// Proof: of all pairs of friends take those with the most common neighbors. Of their ranks take the one that `tie`
/// prefers, and of its friends among these pairs the preferred one. These two choose each other in round 1.
Matching pair_friends(FriendTable const& friends, FriendTie tie, Suitors suitors);

}  // namespace rondo::generate
