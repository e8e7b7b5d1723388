#pragma once

// What becomes of the topology in new communicators [Traeff21, Sections 2 and 2.4].

#include <mpi.h>

namespace rondo::mpi {

/// Collective: the ranks of `comm` in their order, without attributes or topology; of an inter-communicator, the local
/// group. Throws MpiFailure.
MPI_Comm fully_connected(MPI_Comm comm);

/// Collective: as MPI_Comm_split; a part of a graph carries the edges between its ranks, in their order, with their
/// weights. Throws MpiFailure.
MPI_Comm split_with_subgraph(MPI_Comm comm, int color, int key);

}  // namespace rondo::mpi
