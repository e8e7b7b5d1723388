#pragma once

// A certificate says which content arrives in each place, so that every rank can be checked by itself: if a rank
// starts with what the promise lets it hold, and receives what the certificate says, then it must send what its
// partners receive, and end with what it is owed. Nothing else can go wrong in a schedule of rounds.
// tests/certificates/check.py is a checker that shares no code with the prover.
//
//   {"format": "rondo-certificate", "format_version": 1, "schedule": CHECKSUM, "ranks": p, "rounds": D,
//    "needs_buffered_sends": false}
//   {"joins": [[CONTENT, CONTENT], ...]}            only where the promise asks for the same bits
//   {"rank": 0, "arrives": [CONTENT, ...]}
//   ...
//
// A line for each rank has the contents of all places of all its receives, in the order of rounds, receives and places.
// CONTENT is [BLOCK, RANK], the block of that number of that rank, or [BLOCK, RANK, n, RANK, n, ...]: what so many
// ranks from each of these on, modulo p, hold under that number, joined; in this order where order was promised. Where
// blocks of several numbers were joined, or one contribution several times (which no slot is owed, but which may lie in
// others), CONTENT is a list of [BLOCK, RANK, n, TIMES]. Where the same bits were promised, the result of a join is the
// number of that join among all, from 0 on; operands that commute have no order.
//
// A certificate of tasks has "tasks": n in the place of "rounds", and says whether they come to their end only if sends
// are buffered. A line of a rank has the contents that come to its receives, in the order of the tasks, as they are
// before they are joined. Where nothing is promised there are no lines of ranks.

#include <functional>
#include <string_view>

#include "schedule/block_graph.hpp"
#include "schedule/collective.hpp"
#include "schedule/schedule.hpp"

namespace rondo {

/// Writes the lines after the head. A schedule that breaks its promise, as verify has found, gets them too: they say
/// what arrives as far as that can be known, with `null` elsewhere, and no checker accepts them. Takes 16 bytes for
/// each slot and for each received place. Returns false if a content that arrives is too long to be written
/// (contributions that enter 2^63 times, or 2^24 runs of ranks); it becomes `null`.
bool write_arrivals(Schedule const& schedule, Collective const& collective,
                    std::function<void(std::string_view)> const& sink);
/// The same for tasks. If tasks wait for each other forever, the contents that would come to them are `null`.
bool write_arrivals(BlockGraph const& graph, Collective const& collective,
                    std::function<void(std::string_view)> const& sink);

}  // namespace rondo
