#pragma once

// Faults in the communication of a user program.
// The report of a deadlock names the MPI call in which each rank is, which blocking_call() describes.
// MPI requires that each rank receives all messages to it before it calls MPI_Finalize. A program that does not only
// works as long as its sends are buffered. unreceived_messages() describes the messages that no rank has received.

#include <mpi.h>

#include <string>

#include "base/ids.hpp"

namespace rondo {

/// The number of messages that wait for a receive, and the first of them: "2, the first from rank 0 to rank 3 with tag
/// 7 (8B)"; "" if there is none. It is called in an actor of a simulation whose ranks have all left their programs but
/// still exist. The messages of collectives, which have negative tags in SMPI, do not belong to the program and do not
/// count.
std::string unreceived_messages();

/// From this call on, this process notes the blocking calls of `ranks` ranks: sends, receives, waits, and the most
/// common collectives.
void note_blocking_calls(int ranks);

/// Describes the call in which the rank is: " in MPI_Recv from rank 3 with tag 7", " in MPI_Waitall for a send to rank
/// 1 with tag 0 and 2 more requests". Empty if the rank is in no such call. note_blocking_calls must have been called
/// before.
std::string blocking_call(Rank rank);

}  // namespace rondo
