#pragma once

// What programs ask MPI about the hosts of their ranks. For SMPI each rank is alone on a host of its own, as ports are
// those of ranks here; the answers are those of the machine instead.

#include "platform/platform.hpp"

namespace rondo {

/// From now on MPI_Get_processor_name and MPI_Comm_split_type answer as on this machine. On a platform file SMPI's own
/// answers are right: it has one rank a host.
void note_hosts(int ranks, Platform const& machine);

}  // namespace rondo
