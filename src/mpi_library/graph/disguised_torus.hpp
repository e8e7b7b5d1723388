#pragma once

// Tori that nobody has named: graphs on a communicator without names, whose ranks are a torus in their order.

#include <mpi.h>

#include <optional>

#include "mpi_library/graph/cart_naming.hpp"
#include "mpi_library/graph/process_topology.hpp"

namespace rondo::mpi {

/// Collective: names of all ranks in row-major order on a torus of up to four dimensions on which all of them have the
/// same neighbors relative to themselves. Of several it is the one on which these are nearest; unset if there is none,
/// or if no rank has a neighbor. Throws MpiFailure.
std::optional<CartesianNaming> disguised_torus(MPI_Comm comm, ProcessTopology const& topology);

}  // namespace rondo::mpi
