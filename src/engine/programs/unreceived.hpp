#pragma once

// What a user program has sent and nobody has received. MPI asks of each rank that it receives what is sent to it
// before it calls MPI_Finalize; a program that does not works only as long as its sends are buffered.

#include <mpi.h>

#include <string>

namespace rondo {

/// The request is no message any more: SMPI keeps an eager send that was cancelled among those that wait.
void note_cancelled(MPI_Request request);

/// How many messages wait for a receive, and the first of them: "2, the first from rank 0 to rank 3 with tag 7 (8B)";
/// nothing where there is none. To be called in an actor of a simulation whose ranks have all left their programs and
/// are still there. Those of collectives, which SMPI marks by negative tags, are not the program's and do not count.
std::string unreceived_messages();

}  // namespace rondo
