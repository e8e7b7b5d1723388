#pragma once

// Distributed graph topologies. Ranks state their own edges, or those of others; this checks the edges and brings
// each one to the ranks at its ends.

#include <mpi.h>

#include <cstdint>

#include "mpi_library/graph/process_topology.hpp"

namespace rondo::mpi {

/// A list of neighbors in the form of MPI_Dist_graph_create_adjacent.
struct NeighborList {
  int degree = 0;
  int const* ranks = nullptr;
  int const* weights = nullptr;  ///< or MPI_UNWEIGHTED, or MPI_WEIGHTS_EMPTY
};

/// Edges in the form of MPI_Dist_graph_create: `degrees[i]` of them leave `sources[i]`.
struct EdgeLists {
  int n = 0;
  int const* sources = nullptr;
  int const* degrees = nullptr;
  int const* targets = nullptr;
  int const* weights = nullptr;  ///< or MPI_UNWEIGHTED, or MPI_WEIGHTS_EMPTY
};

/// Collective. A duplicate of `comm` that carries the graph and is tuned by the info (see agreed_tuning); ranks are not
/// reordered. If `comm` is Cartesian or has Cartesian names, it examines whether the graph is Cartesian too (see
/// cartesian_graph).
///
/// The graph has weights if lists with edges give them, or if no list has edges and one of them gives weights all the
/// same (MPI_WEIGHTS_EMPTY); an empty list contradicts no other one. Throws MpiFailure at every rank if one rank is
/// wrong: MPI_ERR_ARG for a negative degree or weight, a missing list, or weights on only one side of a rank that has
/// edges on both; MPI_ERR_RANK for a neighbor that is neither a rank nor MPI_PROC_NULL; MPI_ERR_NOT_SAME if some ranks
/// give their edges weights and others do not; MPI_ERR_TOPOLOGY if a rank lists an edge more often than its other end
/// does.
MPI_Comm create_adjacent_graph(MPI_Comm comm, NeighborList const& sources, NeighborList const& targets, MPI_Info info);

/// Collective. The same, but any rank may name any edges. The neighbors of a rank are ordered by the rank that named
/// them, then in the order in which it named them. MPI_PROC_NULL is not allowed here.
MPI_Comm create_graph(MPI_Comm comm, EdgeLists const& edges, MPI_Info info);

}  // namespace rondo::mpi
