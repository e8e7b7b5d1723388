#pragma once

// The messages of a user program that no rank has received. MPI requires that each rank receives all messages to it
// before it calls MPI_Finalize. A program that does not only works as long as its sends are buffered.

#include <mpi.h>

#include <string>

namespace rondo {

/// A cancelled request is no message any more. SMPI keeps a cancelled eager send among the sends that wait.
void note_cancelled(MPI_Request request);

/// The number of messages that wait for a receive, and the first of them: "2, the first from rank 0 to rank 3 with tag
/// 7 (8B)"; "" if there is none. It is called in an actor of a simulation whose ranks have all left their programs but
/// still exist. The messages of collectives, which have negative tags in SMPI, do not belong to the program and do not
/// count.
std::string unreceived_messages();

}  // namespace rondo
