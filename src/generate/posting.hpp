#pragma once

// The order in which a rank posts the messages of a round. Each generator produces its own order, and engines serve
// messages that are posted at once in the order of posting. So two schedules can only be compared if both have the same
// order.

#include <cstdint>

#include "problem/posting.hpp"
#include "schedule/schedule.hpp"
#include "topology/process_graph.hpp"

namespace rondo::generate {

/// Puts the sends and the receives of every round in this order. Messages with the same partner keep their order, so
/// that the matching does not change. Receives of a round that joins keep the order in which they are joined. `graph`
/// has the neighbor lists of the ranks, targets for sends and sources for receives; it may be null. In an isomorphic
/// schedule all ranks post in the order of rank 0, relative to themselves. Throws InputError, "/posting: ...", for
/// `ascending` in an isomorphic schedule, because this order differs between ranks.
void repost(Schedule& schedule, Posting posting, std::uint64_t seed, ProcessGraph const* graph);

}  // namespace rondo::generate
