#pragma once

// Estimates how long a collective takes in the linear model, by the messages and bytes of the busiest rank in each
// round. The choice between algorithms depends on it.

#include <mpi.h>

#include <vector>

#include "base/units.hpp"
#include "schedule/schedule.hpp"

namespace rondo::mpi {

/// The work of a rank, whose messages are sent one after the other. For all ranks together, it is the sum over the
/// rounds of the work of the rank that has most to do in the round.
struct NeighborWork {
  double messages = 0, bytes = 0;
  NeighborWork& operator+=(NeighborWork const& more) {
    messages += more.messages;
    bytes += more.bytes;
    return *this;
  }
};

/// Whether combining takes less time than single messages in the linear model, D alpha + beta V m < s alpha + beta s m.
/// This holds below the cut-off m = (alpha / beta) (s - D) / (V - s) of [Traeff16, Section 3.1], corrected.
inline bool faster(NeighborWork const& combined, NeighborWork const& alone, double startup_bytes) {
  return combined.messages * startup_bytes + combined.bytes < alone.messages * startup_bytes + alone.bytes;
}

/// The work of a rank with this program in each round. A rank sends and receives at the same time, in both directions
/// one message after the other, so that the larger of both counts.
std::vector<NeighborWork> work_by_round(Program const& program);

NeighborWork sum(std::vector<NeighborWork> const& rounds);

/// Collective. The sum over the rounds of the work of the rank that has most to do in the round. Throws MpiFailure.
NeighborWork most_of_all(std::vector<NeighborWork> mine, MPI_Comm comm);

/// The work with blocks of this size, from the work with blocks of one byte.
NeighborWork times(NeighborWork const& blocks, Bytes size);

}  // namespace rondo::mpi
