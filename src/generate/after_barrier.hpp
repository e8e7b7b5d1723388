#pragma once

// A schedule as benchmarks of collectives time it: behind a barrier that lets ranks go at different times.

#include "schedule/schedule.hpp"

namespace rondo::generate {

/// A dissemination barrier [Hensgen88] without bytes: in round k rank r sends to r + 2^(k-1) and receives from r -
/// 2^(k-1), modulo the number of ranks. It promises nothing that is proved; MPI_Barrier as a collective is
/// ClassicalCollective::barrier.
Schedule empty_barrier(int ranks);

/// The schedule with such a barrier before its first round, in which no rank waits for others than its partners. Copies
/// that come before the first round come after the barrier. All ranks follow programs of their own.
Schedule after_barrier(Schedule const& schedule);

}  // namespace rondo::generate
