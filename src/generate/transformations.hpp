#pragma once

// Functions that change a finished schedule without a change of its contents. after_barrier makes a schedule as
// benchmarks of collectives time it: after a barrier, which ranks leave at different times. order_posts sorts the
// messages of each round into the order in which ranks post them. Each generator produces its own order, and engines
// serve messages that are posted at the same time in posting order. So two schedules can be compared only if both
// have the same order.

#include <cstdint>

#include "problem/run_options.hpp"
#include "schedule/schedule.hpp"
#include "topology/process_graph.hpp"

namespace rondo::generate {

/// A dissemination barrier [Hensgen88] without bytes. In round k rank r sends to r + 2^(k-1) and receives from r -
/// 2^(k-1), modulo the number of ranks. Nothing is proved about it; the collective MPI_Barrier is
/// ClassicalCollective::barrier.
Schedule empty_barrier(int ranks);

/// The schedule with such a barrier before its first round. In the barrier a rank only waits for its partners. Copies
/// before the first round of the schedule are done after the barrier. All ranks follow programs of their own.
Schedule after_barrier(Schedule const& schedule);

/// Puts the sends and the receives of every round into this order. Messages with the same partner keep their order, so
/// the same sends and receives match. If a receive of a round joins blocks, all receives of the round keep their order,
/// because it decides the order of the joins. `seed` is for `random`. `graph` has the neighbor lists for `neighbors`:
/// targets for sends, and sources for receives. If it is null, `neighbors` changes nothing. In an isomorphic schedule
/// all ranks post in the order of rank 0, relative to themselves, and `neighbors` with a graph acts as `shifted`. In
/// any other schedule each rank gets its own program. Throws InputError, "/posting: ...", for `ascending` in an
/// isomorphic schedule, because that order differs between ranks.
void order_posts(Schedule& schedule, Posting posting, std::uint64_t seed, ProcessGraph const* graph);

}  // namespace rondo::generate
