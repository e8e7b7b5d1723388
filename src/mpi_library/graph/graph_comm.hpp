#pragma once

// Communicators with a graph of which every rank knows the whole, as MPI 1 has them.

#include <mpi.h>

#include <memory>

#include "mpi_library/graph/process_topology.hpp"

namespace rondo::mpi {

/// A graph as MPI_Graph_create takes it: index[i] is the number of neighbors of the ranks 0 to i together, and edges
/// lists the neighbors of one rank after the other.
struct GraphLists {
  int nodes = 0;
  int const* index = nullptr;
  int const* edges = nullptr;
};

/// Collective: as MPI_Graph_create without reordering; MPI_COMM_NULL at ranks that are left over. Throws MpiFailure, at
/// all ranks alike: MPI_ERR_COMM between two groups; MPI_ERR_ARG for a negative number of nodes or one above the number
/// of ranks, a list that is missing, an index that falls, and an edge to what is no node; MPI_ERR_NOT_SAME if the ranks
/// name different graphs.
MPI_Comm create_whole_graph(MPI_Comm comm, GraphLists const& lists);

/// The graph that a communicator carries. Throws MpiFailure: MPI_ERR_COMM for MPI_COMM_NULL, MPI_ERR_TOPOLOGY for a
/// communicator without such a graph.
std::shared_ptr<WholeGraph const> whole_graph(MPI_Comm comm);

/// What MPI_Graph_map answers where ranks are not reordered: the rank itself, or MPI_UNDEFINED if there are no more
/// than so many places. Throws MpiFailure: MPI_ERR_ARG as create_whole_graph.
int rank_on_graph(MPI_Comm comm, GraphLists const& lists);

}  // namespace rondo::mpi
