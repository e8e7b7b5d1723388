#pragma once

// A schedule as benchmarks of collectives time it: after a barrier, which ranks leave at different times.

#include "schedule/schedule.hpp"

namespace rondo::generate {

/// A dissemination barrier [Hensgen88] without bytes. In round k rank r sends to r + 2^(k-1) and receives from r -
/// 2^(k-1), modulo the number of ranks. Nothing is proved about it; the collective MPI_Barrier is
/// ClassicalCollective::barrier.
Schedule empty_barrier(int ranks);

/// The schedule with such a barrier before its first round. In the barrier a rank only waits for its partners. Copies
/// before the first round of the schedule are done after the barrier. All ranks follow programs of their own.
Schedule after_barrier(Schedule const& schedule);

}  // namespace rondo::generate
