#pragma once

// The MPI call in which each rank of a user program is, so that the report of a deadlock can name it.

#include <string>

#include "base/ids.hpp"

namespace rondo {

/// From here on this process notes the blocking calls of `ranks` ranks: sends, receives, waits, and the most common
/// collectives.
void note_blocking_calls(int ranks);

/// " in MPI_Recv from rank 3 with tag 7", " in MPI_Waitall for a send to rank 1 with tag 0 and 2 more requests", or ""
/// if the rank is in no such call.
std::string blocking_call(Rank rank);

}  // namespace rondo
