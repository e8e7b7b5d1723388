#pragma once

// Finds tori that nobody has named: graphs on a communicator without names whose ranks, in their order, form a
// torus.

#include <mpi.h>

#include <optional>

#include "mpi_library/graph/cart_naming.hpp"
#include "mpi_library/graph/process_topology.hpp"

namespace rondo::mpi {

/// Collective. Names all ranks in row-major order on a torus of up to four dimensions on which all of them have the
/// same neighbors relative to themselves. Among several such tori it takes the one on which the neighbors are nearest.
/// Unset if there is none, or if no rank has a neighbor. Throws MpiFailure.
std::optional<CartesianNaming> unnamed_torus(MPI_Comm comm, ProcessTopology const& topology);

}  // namespace rondo::mpi
