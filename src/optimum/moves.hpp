#pragma once

// Messages of a schedule by ranks and blocks: found, cleared of what nobody needs, counted, and made a Schedule.

#include <functional>

#include "optimum/formula.hpp"
#include "schedule/schedule.hpp"

namespace rondo::optimum {

/// Messages without blocks that their receiver has already, or gets by another message, or that nobody needs of it.
/// With `parts` the blocks are split first: block i stands for those of parts[i]. Ascending by round.
Moves needed(Question const& question, Moves const& moves, std::vector<std::vector<int>> const* parts = nullptr);

int rounds_of(Moves const& moves);
/// The sum over the rounds of the blocks of the largest message.
int critical_of(Moves const& moves);

/// Some schedule: in each round messages are chosen one after the other, each the one that brings most blocks closer to
/// ranks that want them.
Moves greedy(Question const& question, std::optional<int> message_blocks);

/// The schedule of what was asked, backwards if the question is reversed. `bytes` is the size of a block, `block` the
/// usual one.
Schedule schedule_of(Question const& question, Moves const& moves, Collective const& promise, Bytes block,
                     std::function<Bytes(Content const&)> const& bytes);

}  // namespace rondo::optimum
