#pragma once

// What becomes of the topology in new communicators [Traeff21, Sections 2 and 2.4].

#include <mpi.h>

namespace rondo::mpi {

/// Collective: the ranks of `comm` in their order, without attributes or topology; of an inter-communicator, the local
/// group. Throws MpiFailure.
MPI_Comm fully_connected(MPI_Comm comm);

/// Collective over `part`, or MPI_COMM_NULL: a communicator of some of the ranks of `whole`, which is freed if it
/// throws MpiFailure. If `whole` carries a graph, `part` carries the edges between its ranks, in their order, with
/// their weights.
void carry_subgraph(MPI_Comm part, MPI_Comm whole);

}  // namespace rondo::mpi
