#pragma once

// Writes certificates. A certificate states which content arrives in each place, so that every rank can be checked by
// itself. The checker assumes that a rank starts with the blocks that the promise lets it hold, and receives the
// contents that the certificate states. It checks that the rank then sends the contents that its partners receive, and
// ends with the contents that it is owed. Nothing else can go wrong in a schedule of rounds.
// tests/certificates/check.py is a checker that shares no code with the prover.
//
//   {"format": "rondo-certificate", "format_version": 1, "schedule": CHECKSUM, "ranks": p, "rounds": D,
//    "needs_buffered_sends": false}
//   {"joins": [[CONTENT, CONTENT], ...]}            only where the promise asks for the same bits
//   {"rank": 0, "arrives": [CONTENT, ...]}
//   ...
//
// A line for each rank has the contents of all places of all its receives, in the order of rounds, receives and places.
// CONTENT [BLOCK, RANK] is the block of that number of that rank. CONTENT [BLOCK, RANK, n, RANK, n, ...] is a sum. Its
// operands are the blocks of that number of the ranks RANK to RANK + n - 1, modulo p, for each pair RANK, n. They stand
// in the order in which they were joined if the promise asks for an order. A sum of blocks of several numbers, or with
// one block several times, is a list of [BLOCK, RANK, n, TIMES]. No slot is owed such a sum, but one may pass through
// intermediate slots. If the promise asks for the same bits, the result of a join is the number of that join in
// "joins", from 0 on. Operands that commute have no order.
//
// A certificate of tasks has "tasks": n in place of "rounds". Its "needs_buffered_sends" says whether the tasks end
// only if sends are buffered. The line of a rank has the contents that come to its receives, in the order of the tasks
// and before they are joined. Without a promise there are no lines of ranks.

#include <functional>
#include <string_view>

#include "schedule/block_graph.hpp"
#include "schedule/collective.hpp"
#include "schedule/schedule.hpp"

namespace rondo {

/// Writes the lines after the head to the sink. They are also written for a schedule that breaks its promise. Then they
/// state the contents that are known, and `null` elsewhere, and no checker accepts them. Takes 16 bytes of memory for
/// each slot and for each received place. Returns false if an arriving content is too long to be written (contributions
/// that enter 2^63 times, or 2^24 runs of ranks); it becomes `null`.
bool write_arrivals(Schedule const& schedule, Collective const& collective,
                    std::function<void(std::string_view)> const& sink);
/// Does the same for tasks. If tasks wait for each other forever, the contents that would come to them are `null`.
bool write_arrivals(BlockGraph const& graph, Collective const& collective,
                    std::function<void(std::string_view)> const& sink);

}  // namespace rondo
