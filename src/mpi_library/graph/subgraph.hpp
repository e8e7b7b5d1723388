#pragma once

// Passes the topology of a communicator on to communicators that are made from it [Traeff21, Sections 2 and 2.4].

#include <mpi.h>

namespace rondo::mpi {

/// Collective. A communicator with the ranks of `comm` in their order, but without attributes and topology; for an
/// inter-communicator, with the ranks of the local group. Throws MpiFailure.
MPI_Comm fully_connected(MPI_Comm comm);

/// Collective over `part`, which may be MPI_COMM_NULL. `part` is a communicator of some of the ranks of `whole`. If
/// `whole` carries a graph, `part` gets the edges between its ranks, in their order and with their weights. If it
/// throws MpiFailure, it frees `part`.
void carry_subgraph(MPI_Comm part, MPI_Comm whole);

}  // namespace rondo::mpi
