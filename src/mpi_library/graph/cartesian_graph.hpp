#pragma once

// Graphs on which message combining along the dimensions of a grid is possible [Traeff21, Section 3.2].

#include <mpi.h>

#include <memory>
#include <vector>

#include "mpi_library/graph/cart_naming.hpp"
#include "mpi_library/graph/process_topology.hpp"
#include "mpi_library/isomorphic/comm.hpp"

namespace rondo::mpi {

/// The neighborhood that all ranks have, as far as it is on the grid, and where this rank's edges are in it.
struct CartesianGraph {
  IsoComm isomorphic;  ///< without a communicator; its neighborhood is in lexicographic order, repeated edges repeated
  /// For each target and for each source, the index of its offset C in the neighborhood: R (+) C is a target of rank R,
  /// R (-) C a source. -1 for MPI_PROC_NULL.
  std::vector<int> targets, sources;
};

/// Collective: null unless the names of all ranks are on one grid, every rank has a neighbor, and all have the same
/// relative to themselves. On an open dimension a neighbor past the side is nobody's.
std::shared_ptr<CartesianGraph const> cartesian_graph(MPI_Comm comm, CartesianNaming const& naming,
                                                      ProcessTopology const& topology);

}  // namespace rondo::mpi
