#pragma once

// Sorts the messages of each round into the order in which ranks post them. Each generator produces its own order, and
// engines serve messages that are posted at the same time in posting order. So two schedules can be compared only if
// both have the same order.

#include <cstdint>

#include "problem/posting.hpp"
#include "schedule/schedule.hpp"
#include "topology/process_graph.hpp"

namespace rondo::generate {

/// Puts the sends and the receives of every round into this order. Messages with the same partner keep their order, so
/// the same sends and receives match. If a receive of a round joins blocks, all receives of the round keep their order,
/// because it decides the order of the joins. `seed` is for `random`. `graph` has the neighbor lists for `neighbors`:
/// targets for sends, and sources for receives. If it is null, `neighbors` changes nothing. In an isomorphic schedule
/// all ranks post in the order of rank 0, relative to themselves, and `neighbors` with a graph acts as `shifted`. In
/// any other schedule each rank gets its own program. Throws InputError, "/posting: ...", for `ascending` in an
/// isomorphic schedule, because that order differs between ranks.
void order_posts(Schedule& schedule, Posting posting, std::uint64_t seed, ProcessGraph const* graph);

}  // namespace rondo::generate
