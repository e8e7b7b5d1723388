#pragma once

// How long a collective takes in the linear model, which decides between algorithms: how many messages and bytes the
// busiest rank has in each round.

#include <mpi.h>

#include <vector>

#include "base/units.hpp"
#include "schedule/schedule.hpp"

namespace rondo::mpi {

/// What a rank does, one message after the other; of all ranks, the sum over the rounds of what the rank does that has
/// most to do in it.
struct NeighborWork {
  double messages = 0, bytes = 0;
  NeighborWork& operator+=(NeighborWork const& more) {
    messages += more.messages;
    bytes += more.bytes;
    return *this;
  }
};

/// Whether one takes less time than the other in the linear model, D alpha + beta V m < s alpha + beta s m: below the
/// cut-off m = (alpha / beta) (s - D) / (V - s) of [Traeff16, Section 3.1], corrected.
inline bool faster(NeighborWork const& combined, NeighborWork const& alone, double startup_bytes) {
  return combined.messages * startup_bytes + combined.bytes < alone.messages * startup_bytes + alone.bytes;
}

/// What a rank with this program does in each round. Sending and receiving go on side by side, each one message after
/// the other: of the two, what is more.
std::vector<NeighborWork> work_by_round(Program const& program);

NeighborWork sum(std::vector<NeighborWork> const& rounds);

/// Collective: the sum over the rounds of what the rank does that has most to do in it. Throws MpiFailure.
NeighborWork most_of_all(std::vector<NeighborWork> mine, MPI_Comm comm);

/// The work with blocks of this size, from that with blocks of one byte.
NeighborWork times(NeighborWork const& blocks, Bytes size);

}  // namespace rondo::mpi
