#pragma once

// Notes the MPI call in which each rank of a user program is, so that the report of a deadlock can name it.

#include <string>

#include "base/ids.hpp"

namespace rondo {

/// From this call on, this process notes the blocking calls of `ranks` ranks: sends, receives, waits, and the most
/// common collectives.
void note_blocking_calls(int ranks);

/// Describes the call in which the rank is: " in MPI_Recv from rank 3 with tag 7", " in MPI_Waitall for a send to rank
/// 1 with tag 0 and 2 more requests". Empty if the rank is in no such call. note_blocking_calls must have been called
/// before.
std::string blocking_call(Rank rank);

}  // namespace rondo
