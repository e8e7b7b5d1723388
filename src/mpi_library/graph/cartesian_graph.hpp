#pragma once

// Graphs on which all ranks have the same neighbors relative to themselves [Traeff21, Section 3.2]. Ranks compare
// their neighbors as offsets from themselves. is_isomorphic() serves the C interface of Cartesian naming
// (interface/cart_naming.cpp). cartesian_graph() recognizes graphs on which messages can be combined along the
// dimensions of a grid.

#include <mpi.h>

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "mpi_library/graph/cart_naming.hpp"
#include "mpi_library/graph/process_topology.hpp"
#include "mpi_library/isomorphic/iso_comm.hpp"

namespace rondo::mpi {

/// How often each offset occurs.
using OffsetCounts = std::map<Vector, int>;

/// The counts as a message: offset after offset, each followed by its count.
std::vector<int> flat(OffsetCounts const& counts);

/// Collective. Returns whether all ranks have the same neighbors relative to themselves [Traeff21, Section 3.2]. There
/// must be one list of offsets, repeated ones included, from which each rank lacks only those that lead from it to no
/// rank. If a rank or a target has no name, the graph is not isomorphic. `targets` are the targets of this rank;
/// negative ones (MPI_PROC_NULL) are ignored. Every rank gathers the offsets of all ranks. Throws MpiFailure.
bool is_isomorphic(MPI_Comm comm, CartesianNaming const& naming, std::span<int const> targets);

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
