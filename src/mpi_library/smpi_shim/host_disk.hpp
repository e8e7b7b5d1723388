#pragma once

// The disk of the host on which the calling rank runs: that of a scenario's machine, or that of a platform file.

#include <mpi.h>

namespace rondo::mpi {

/// Whether the machine is that of a scenario.
bool in_a_scenario();
bool has_disk();
/// The rank waits until the disk has moved so many bytes. Needs a disk.
void wait_for_disk(bool writes, MPI_Offset bytes);

}  // namespace rondo::mpi
