#pragma once

#include <mpi.h>

#include "mpi/runtime/buffers.hpp"
#include "mpi/runtime/message_descriptors.hpp"
#include "schedule/schedule.hpp"

namespace rondo::mpi {

/// Runs the program of `rank` on the communicator, whose ranks are those of the schedule: in each round it posts all
/// receives, then all sends, waits for all of them, then does the round's copies (see schedule.hpp). Without `buffers`
/// no copies are done. `round` holds the round the rank is in, for whoever watches it from outside.
void execute(Schedule const& schedule, Rank rank, MessageDescriptors const& descriptors, Buffers const* buffers,
             MPI_Comm comm, int& round);

}  // namespace rondo::mpi
