#pragma once

// Lower bounds by counting, with the numbers that one has to add up to check them.

#include <optional>
#include <string>
#include <vector>

#include "optimum/question.hpp"

namespace rondo::optimum {

/// The argument for a lower bound: why no schedule needs less. `by` names one of these, or "nothing" if no bound above
/// 0 was found. k is the number of ports, and C the number of blocks of a message.
///   distance    a block has so many hops to a rank that wants it
///   doubling    after a round at most k + 1 times as many ranks can have a block as before it
///   hearing     a rank wants blocks of so many other ranks. After a round it can have blocks of at most k + 1 times
///               as many ranks as before it
///   departures  one rank holds n blocks and sends at most k C of them in a round. So one of them leaves it in round
///               ceil(n / (k C)) or later; from then on its copies grow by doubling
///   cut         the ranks of a set want so many blocks that none of them holds, and at most so many messages can
///               enter the set in a round
struct Argument {
  std::string by = {};
  int at_least = 0;
  int block = -1;             ///< distance, doubling: the number of the block
  int rank = -1;              ///< distance, hearing: who wants it; departures: who holds the blocks
  std::vector<int> set = {};  ///< cut: the ranks that want the blocks; departures: the blocks
  int blocks = 0;             ///< cut: the number of blocks that they want
  int messages = 0;           ///< cut: the most messages that enter the set in a round
};

/// Bounds the number of rounds, if a message carries at most so many blocks (unset: any number). Then departures and
/// cuts are not tried.
Argument rounds_bound(Question const& question, std::optional<int> message_blocks);
/// Bounds the number of critical blocks, the sum over all rounds of the largest message, in any number of rounds.
Argument critical_bound(Question const& question);

/// The number of hops to a rank that cannot be reached.
inline constexpr int unreachable = 1 << 20;
/// Computes the fewest hops between any two ranks, by breadth-first search: hops[from][to]. Without links every rank is
/// one hop away.
std::vector<std::vector<int>> hops(Question const& question);

}  // namespace rondo::optimum
