#pragma once

// The hosts of the machine, as a user program sees them. In SMPI each rank is alone on a host, because ports belong
// to ranks here. Therefore these functions answer in place of SMPI's. Hosts have disks, on which librondo_mpi reads
// and writes the files of MPI-IO. Each disk moves the data of one call at a time, in the order of the calls. Disks
// are actors that sleep.

#include "platform/platform.hpp"

namespace rondo {

/// From now on MPI_Get_processor_name and MPI_Comm_split_type answer as on this machine. On a platform file SMPI's own
/// answers are right, because it has one rank on each host.
void note_hosts(int ranks, Platform const& machine);

/// To be called after note_hosts. From now on MPI_File_open works if the machine has disks, and ends the program if it
/// has none.
void note_disks(int ranks, Platform const& machine);

}  // namespace rondo
