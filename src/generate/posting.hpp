#pragma once

// In which order a rank posts the messages of a round. Schedules come from their generators in one order; engines serve
// what is posted at once in the order of posting, so that two schedules can only be compared where both are in the
// same.

#include <cstdint>

#include "problem/posting.hpp"
#include "schedule/schedule.hpp"
#include "topology/process_graph.hpp"

namespace rondo::generate {

/// Puts the sends and the receives of every round in this order; those of one partner keep theirs, so that what matches
/// does not change, and receives of a round that joins keep theirs, in which they are joined. `graph` has the neighbor
/// lists of the ranks, targets for sends and sources for receives; it may be null. In an isomorphic schedule all ranks
/// post in one order, that of rank 0, and see it from both ends. Throws InputError, "/posting: ...", for `ascending` in
/// an isomorphic schedule, whose ranks differ in that.
void repost(Schedule& schedule, Posting posting, std::uint64_t seed, ProcessGraph const* graph);

}  // namespace rondo::generate
