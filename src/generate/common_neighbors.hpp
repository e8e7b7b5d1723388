#pragma once

// The communication pattern of [Mirsadeghi17, Algorithms 1 and 2], computed centrally.
//
// Two ranks are friends if they have at least theta distinct targets in common. In each iteration the friends pair by
// a greedy matching, heaviest first; a pair divides its common neighbors: each of the two takes over ("onloads") one
// part from the other. A rank in the common neighbors of a pair gets one message with the blocks of both instead of
// two. Such neighbors are then dealt with; the others are active still, and the friends among them pair again.
//
// Corrections to the text: a rank is terminal if its F is empty (line 14 prints "not empty"); a rank that struck a
// friend from F still notifies and hears it; "g chose p" is in the previous iteration, and of several the heaviest.
// Which suitors count is an option (problem::Suitors).
//
// `cumulative` is the paper's future work: an onloaded neighbor stays active at the rank that took it over, with all
// the blocks gathered there for it, and is combined again. A neighbor is never active at both ranks of a pair after
// it, so that counts fall as before.

#include <cstdint>
#include <vector>

#include "base/ids.hpp"
#include "problem/graph_collectives.hpp"
#include "topology/process_graph.hpp"

namespace rondo::generate {

using problem::Combining;
using problem::CommonNeighbors;
using problem::FriendTie;
using problem::Half;
using problem::Suitors;

/// Two friends that combine, low < high, and which of their common neighbors each serves for both, ascending. What one
/// onloads the other offloads. The common neighbors are divided in ascending order: the first go to the lower rank.
struct Pair {
  Rank low, high;
  std::vector<Rank> low_onloads, high_onloads;
  friend bool operator==(Pair const&, Pair const&) = default;
};

/// One iteration of Algorithm 1.
struct Iteration {
  std::vector<Pair> pairs;  ///< by their lower rank
  int pairing_rounds = 0;   ///< r: iterations of Algorithm 2
  friend bool operator==(Iteration const&, Iteration const&) = default;
};

/// What the distributed algorithm sends to find the pattern.
struct SetupMessages {
  std::int64_t build = 0;            ///< lists of sources, for the first common neighborhoods: one an edge
  std::int64_t pairing = 0;          ///< Algorithm 2, lines 23 and 27, to all friends that are not paired or terminal
  std::int64_t pairing_printed = 0;  ///< the same to the friends in F only, as printed
  std::int64_t notify = 0;           ///< Algorithm 1, lines 20 and 26
  std::int64_t update = 0;           ///< Algorithm 1, line 23: lists of sources to ranks in the loop
  std::int64_t update_by_done = 0;   ///< those of `update` that come from ranks that have left the loop
  friend bool operator==(SetupMessages const&, SetupMessages const&) = default;
};

/// The result of Algorithm 1 for all ranks.
struct CombiningPattern {
  Combining combining = Combining::single;  ///< how its iterations are meant
  std::vector<Iteration> iterations;        ///< t of them
  std::int64_t friends = 0;                 ///< pairs of friends before the first iteration
  int most_friends = 0;                     ///< most friends that a rank has
  SetupMessages setup;

  std::int64_t messages = 0;          ///< that the schedule sends, friend exchanges included
  std::int64_t savable_messages = 0;  ///< friend exchanges p -> p' where p -> p' is an edge: they deliver p's block
  int max_sends = 0;                  ///< most messages a rank sends

  friend bool operator==(CombiningPattern const&, CombiningPattern const&) = default;
};

/// The pattern on the distinct neighbors of the graph; self loops take no part. A cumulative pattern never sends more
/// messages than the single one: where greedy choices would, the result is the single one, and its `combining` says so.
/// Throws InputError if theta < 2, ContractViolation if the iterations pass the bound that proves their end.
CombiningPattern common_neighbors(ProcessGraph const& graph, CommonNeighbors const& options = {});

}  // namespace rondo::generate
