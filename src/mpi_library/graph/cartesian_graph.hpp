#pragma once

// Recognizes graphs on which messages can be combined along the dimensions of a grid [Traeff21, Section 3.2].

#include <mpi.h>

#include <memory>
#include <vector>

#include "mpi_library/graph/cart_naming.hpp"
#include "mpi_library/graph/process_topology.hpp"
#include "mpi_library/isomorphic/comm.hpp"

namespace rondo::mpi {

/// The neighborhood that all ranks have, as far as it lies on the grid, and the places of this rank's edges in it.
struct CartesianGraph {
  IsoComm isomorphic;  ///< without a communicator; its neighborhood is in lexicographic order, repeated edges repeated
  /// By target and by source, the index of its offset C in the neighborhood: R (+) C is a target of rank R, R (-) C a
  /// source. -1 for MPI_PROC_NULL.
  std::vector<int> targets, sources;
};

/// Collective. Null unless the names of all ranks lie on one grid, every rank has a neighbor, and all ranks have the
/// same neighbors relative to themselves. On an open dimension a neighbor past the border is missing.
std::shared_ptr<CartesianGraph const> cartesian_graph(MPI_Comm comm, CartesianNaming const& naming,
                                                      ProcessTopology const& topology);

}  // namespace rondo::mpi
