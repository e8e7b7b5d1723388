#pragma once

// The moves of a schedule's blocks, round by round, from which the page of `rondo show` draws them.

#include <cstdint>
#include <vector>

#include "schedule/collective.hpp"
#include "schedule/schedule.hpp"

namespace rondo {

/// A schedule as the moves of its blocks. Nothing is judged here (verify does that): a broken schedule moves as it
/// would, as far as it can.
struct BlockMoves {
  static constexpr std::int32_t nothing = -1;
  struct Message {
    int round = 0;
    Rank source, target;
    Bytes bytes;
    std::vector<std::int32_t> blocks;  ///< as indices into `contents`, or nothing where a place is empty
    bool received = false;             ///< whether a receive of its round matches it
  };
  /// A block, or a join of several contributions.
  struct Item {
    Content first;  ///< the block, or the lowest contribution
    int contributions = 1;
  };
  std::vector<Item> contents;
  std::vector<Message> messages;            ///< by round, then by source, then in posting order
  std::vector<std::vector<int>> delivered;  ///< by round from 0, by rank: owed blocks that lie in their places then
  std::vector<int> owed;                    ///< by rank
};

/// Moves the blocks of all ranks, round by round.
BlockMoves block_moves(Schedule const& schedule, Collective const& collective);

}  // namespace rondo
