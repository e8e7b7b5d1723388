#pragma once

// Lower bounds by counting, with the numbers that one has to add up to check them.

#include <optional>
#include <string>
#include <vector>

#include "optimum/question.hpp"

namespace rondo::optimum {

/// The argument for a lower bound: why no schedule needs less.
///   distance    a block has so many hops to a rank that wants it
///   doubling    after a round at most k + 1 times as many ranks can have a block as before it
///   hearing     a rank can know of k + 1 times as many ranks after a round; it wants blocks from so many others
///   departures  one rank holds n blocks and sends at most k C of them in a round. So one of them leaves it in round
///               ceil(n / (k C)) or later; from then on its copies grow by doubling
///   cut         ranks want so many blocks that none of them holds, over links that carry so many in a round
struct Argument {
  std::string by = {};
  int at_least = 0;
  int block = -1;             ///< distance, doubling: the number of the block
  int rank = -1;              ///< distance, hearing: who wants it; departures: who holds the blocks
  std::vector<int> set = {};  ///< cut: the ranks that want; departures: the blocks
  int blocks = 0;             ///< cut: what they want
  int messages = 0;           ///< cut: what enters them in a round at most
};

/// The fewest rounds, if a message carries at most so many blocks (unset: any number).
Argument rounds_bound(Question const& question, std::optional<int> message_blocks);
/// The fewest critical blocks, in any number of rounds.
Argument critical_bound(Question const& question);

/// The number of hops to a rank that cannot be reached.
inline constexpr int unreachable = 1 << 20;
/// The number of hops between any two ranks: hops[from][to].
std::vector<std::vector<int>> hops(Question const& question);

}  // namespace rondo::optimum
