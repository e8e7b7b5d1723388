#pragma once

// Communicators with a graph that every rank knows as a whole, as in MPI 1. carry_subgraph() passes the topology of a
// communicator on to communicators that are made from it [Traeff21, Sections 2 and 2.4].

#include <mpi.h>

#include <memory>

#include "mpi_library/graph/process_topology.hpp"

namespace rondo::mpi {

/// A graph in the form of MPI_Graph_create: index[i] is the number of neighbors of the ranks 0 to i together, and
/// `edges` lists the neighbors of one rank after the other.
struct GraphLists {
  int nodes = 0;
  int const* index = nullptr;
  int const* edges = nullptr;
};

/// Collective. Like MPI_Graph_create without reordering; returns MPI_COMM_NULL at ranks that are left over. Throws
/// MpiFailure at all ranks alike: MPI_ERR_COMM for an inter-communicator; MPI_ERR_ARG for a number of nodes that is
/// negative or above the number of ranks, a missing list, an index that falls, or an edge to a node that does not
/// exist; MPI_ERR_NOT_SAME if the ranks name different graphs.
MPI_Comm create_whole_graph(MPI_Comm comm, GraphLists const& lists);

/// The graph that a communicator carries. Throws MpiFailure: MPI_ERR_COMM for MPI_COMM_NULL, MPI_ERR_TOPOLOGY for a
/// communicator without such a graph.
std::shared_ptr<WholeGraph const> whole_graph(MPI_Comm comm);

/// The answer of MPI_Graph_map if ranks are not reordered: the rank itself, or MPI_UNDEFINED if it is past the last
/// node. Throws MpiFailure: MPI_ERR_ARG as create_whole_graph.
int rank_on_graph(MPI_Comm comm, GraphLists const& lists);

/// Collective. A communicator with the ranks of `comm` in their order, but without attributes and topology; for an
/// inter-communicator, with the ranks of the local group. Throws MpiFailure.
MPI_Comm fully_connected(MPI_Comm comm);

/// Collective over `part`, which may be MPI_COMM_NULL. `part` is a communicator of some of the ranks of `whole`. If
/// `whole` carries a graph, `part` gets the edges between its ranks, in their order and with their weights. If it
/// throws MpiFailure, it frees `part`.
void carry_subgraph(MPI_Comm part, MPI_Comm whole);

}  // namespace rondo::mpi
