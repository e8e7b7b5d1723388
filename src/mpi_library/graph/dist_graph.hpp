#pragma once

// Distributed graph topologies: what a rank says of its edges, or of those of others, checked and brought to where they
// belong.

#include <mpi.h>

#include <cstdint>

#include "mpi_library/graph/process_topology.hpp"

namespace rondo::mpi {

/// A list of neighbors as MPI_Dist_graph_create_adjacent takes it.
struct NeighborList {
  int degree = 0;
  int const* ranks = nullptr;
  int const* weights = nullptr;  ///< or MPI_UNWEIGHTED, or MPI_WEIGHTS_EMPTY
};

/// Edges as MPI_Dist_graph_create takes them: `degrees[i]` of them leave `sources[i]`.
struct EdgeLists {
  int n = 0;
  int const* sources = nullptr;
  int const* degrees = nullptr;
  int const* targets = nullptr;
  int const* weights = nullptr;  ///< or MPI_UNWEIGHTED, or MPI_WEIGHTS_EMPTY
};

/// Collective: a duplicate of `comm` that carries the graph, tuned by the info (see agreed_tuning); ranks are not
/// reordered. Where `comm` is Cartesian or has a Cartesian name, the graph is looked at whether it is Cartesian too
/// (see cartesian_graph). The graph has weights if lists with edges give them, or if none has edges and one gives
/// weights all the same (MPI_WEIGHTS_EMPTY): what an empty list says of weights does not contradict others. Throws
/// MpiFailure at every rank if one is wrong: MPI_ERR_ARG for a negative degree or weight, a list that is missing, or
/// weights on one side of a rank that has edges on both; MPI_ERR_RANK for a neighbor that is neither a rank nor
/// MPI_PROC_NULL; MPI_ERR_NOT_SAME if some ranks give their edges weights and others do not; MPI_ERR_TOPOLOGY if a rank
/// lists an edge more often than its other end does.
MPI_Comm create_adjacent_graph(MPI_Comm comm, NeighborList const& sources, NeighborList const& targets, MPI_Info info);

/// Collective: the same, where any rank names any edges. The neighbors of a rank are in the order of who named them,
/// then in the order in which they were named. MPI_PROC_NULL is no rank here.
MPI_Comm create_graph(MPI_Comm comm, EdgeLists const& edges, MPI_Info info);

}  // namespace rondo::mpi
