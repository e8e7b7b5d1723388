#pragma once

// The answers of MPI to programs that ask about the hosts of their ranks. In SMPI each rank is alone on a host, because
// ports belong to ranks here. These functions answer with the hosts of the machine instead.

#include "platform/platform.hpp"

namespace rondo {

/// From now on MPI_Get_processor_name and MPI_Comm_split_type answer as on this machine. On a platform file SMPI's own
/// answers are right, because it has one rank on each host.
void note_hosts(int ranks, Platform const& machine);

/// The host of the calling rank; -1 on a platform file, and if none has been noted.
int host_here();

}  // namespace rondo
