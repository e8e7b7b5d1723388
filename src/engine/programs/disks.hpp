#pragma once

// The disks of the hosts, on which librondo_mpi reads and writes the files of MPI-IO. Each disk moves the data of one
// call at a time, in the order of the calls. These are actors that sleep, because each rank is alone on a host of SMPI
// here.

#include "platform/platform.hpp"

namespace rondo {

/// To be called after note_hosts. From now on MPI_File_open works if the machine has disks, and ends the program if it
/// has none.
void note_disks(int ranks, Platform const& machine);

}  // namespace rondo
