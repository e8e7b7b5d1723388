#pragma once

// The communication pattern of [Mirsadeghi17, Algorithms 1 and 2], computed centrally.
//
// Two ranks are friends if they have at least theta distinct targets in common. In each iteration friends are paired
// by a greedy matching, heaviest first. A pair divides its common neighbors: each of the two takes over ("onloads")
// some of them from the other. A common neighbor of a pair then gets one message with the blocks of both instead of
// two messages. Such neighbors are done. The others remain active, and the friends among the ranks are paired again.
//
// The printed text is corrected in these points. A rank is terminal if its F is empty (line 14 prints "not empty"). A
// rank that was removed from the F of a friend still notifies that friend, and hears from it. "g chose p" refers to
// the previous iteration; if several did, the heaviest counts. Which suitors count is an option (problem::Suitors).
//
// `cumulative` is the paper's future work. An onloaded neighbor remains active at the rank that took it over, with
// all blocks gathered there for it, and is combined again. After a pair, a neighbor is never active at both of its
// ranks, so counts fall as before.

#include <cstdint>
#include <vector>

#include "base/ids.hpp"
#include "generate/common_neighbors_friends.hpp"
#include "problem/graph_collectives.hpp"
#include "topology/process_graph.hpp"

namespace rondo::generate {

using problem::Combining;
using problem::CommonNeighbors;
using problem::FriendTie;
using problem::Half;
using problem::Suitors;

/// Two friends that combine, low < high, and the common neighbors that each of them serves for both, in ascending
/// order. One rank offloads what the other onloads. Common neighbors are divided in ascending order, and the lower rank
/// gets the first ones.
struct Pair {
  Rank low, high;
  std::vector<Rank> low_onloads, high_onloads;
  friend bool operator==(Pair const&, Pair const&) = default;
};

/// One iteration of Algorithm 1.
struct Iteration {
  std::vector<Pair> pairs;  ///< sorted by the lower rank
  int pairing_rounds = 0;   ///< r: iterations of Algorithm 2
  friend bool operator==(Iteration const&, Iteration const&) = default;
};

/// The messages with which the distributed algorithm finds the pattern.
struct SetupMessages {
  std::int64_t build = 0;    ///< lists of sources, for the first common neighborhoods: one for each edge
  std::int64_t pairing = 0;  ///< Algorithm 2, lines 23 and 27, to all friends that are neither paired nor terminal
  std::int64_t pairing_printed = 0;  ///< the same to the friends in F only, as printed
  std::int64_t notify = 0;           ///< Algorithm 1, lines 20 and 26
  std::int64_t update = 0;           ///< Algorithm 1, line 23: lists of sources to ranks in the loop
  std::int64_t update_by_done = 0;   ///< those of `update` that come from ranks that have left the loop
  friend bool operator==(SetupMessages const&, SetupMessages const&) = default;
};

/// The result of Algorithm 1 for all ranks.
struct CombiningPattern {
  Combining combining = Combining::single;  ///< how its iterations are to be read
  std::vector<Iteration> iterations;        ///< t of them
  std::int64_t friends = 0;                 ///< pairs of friends before the first iteration
  int most_friends = 0;                     ///< of the rank that has most friends
  SetupMessages setup;

  std::int64_t messages = 0;          ///< of the schedule, including friend exchanges
  std::int64_t savable_messages = 0;  ///< friend exchanges p -> p' where p -> p' is an edge: they deliver p's block
  int max_sends = 0;                  ///< of the rank that sends most

  friend bool operator==(CombiningPattern const&, CombiningPattern const&) = default;
};

/// The pattern on the distinct neighbors of the graph, without self loops. A cumulative pattern never sends more
/// messages than the single one: if greedy choices would, the result is the single one, which `combining` tells. Throws
/// InputError if theta < 2, and ContractViolation if the iterations exceed the bound that proves that they end.
CombiningPattern common_neighbors(ProcessGraph const& graph, CommonNeighbors const& options = {});

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
