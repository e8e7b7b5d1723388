#pragma once

// Messages of a schedule as ranks and blocks: finds them, removes unnecessary ones, counts them, makes a Schedule of
// them, and reads them from one.

#include <functional>

#include "optimum/question.hpp"
#include "schedule/schedule.hpp"

namespace rondo::optimum {

/// The messages without unnecessary blocks: those that their receiver has already, or gets by another message, or that
/// nobody needs from it. With `parts` the blocks are split first: block i stands for the blocks in parts[i]. The result
/// ascends by round.
Moves needed(Question const& question, Moves const& moves, std::vector<std::vector<int>> const* parts = nullptr);

int rounds_of(Moves const& moves);
/// The sum over the rounds of the blocks of the largest message.
int critical_of(Moves const& moves);

/// Some schedule, not necessarily a good one. In each round messages are chosen one after the other: always the one
/// that brings most blocks nearer to ranks that want them.
Moves greedy(Question const& question, std::optional<int> message_blocks);

/// The messages read from the last round to the first, with sender and receiver exchanged.
Moves backwards(Moves const& moves);

/// A schedule of this promise as messages of the question, in the rounds of the question: if a rank posts more messages
/// in a round than it has ports, or if a link or a message carries more than it may, the round is divided. The question
/// cuts each block of the promise into `pieces`. Unset if the messages do not deliver all blocks of the question, or
/// pass between ranks that may not talk. The result is checked by itself, so that it answers the question whatever the
/// schedule and its promise are.
std::optional<Moves> moves_of(Schedule const& schedule, Collective const& promise, Question const& question,
                              std::optional<int> message_blocks, int pieces = 1);

/// The schedule for the question that was asked; if the question is reversed, the messages are read backwards. `bytes`
/// is the size of a block, `block` the usual one.
Schedule schedule_of(Question const& question, Moves const& moves, Collective const& promise, Bytes block,
                     std::function<Bytes(Content const&)> const& bytes);

}  // namespace rondo::optimum
