#pragma once

// Tests whether a graph is isomorphic: whether all ranks have the same neighbors relative to themselves.

#include <mpi.h>

#include <span>

#include "mpi_library/graph/cart_naming.hpp"

namespace rondo::mpi {

/// Collective. Whether all ranks have the same neighbors relative to themselves [Traeff21, Section 3.2]. On an open
/// dimension this means: there is one list of offsets, and each rank has, equally often, those of them that lead from
/// it to points of the grid. A graph with a rank without a name is not isomorphic. Compares the list of each rank with
/// the union of all lists. Throws MpiFailure.
bool is_isomorphic(MPI_Comm comm, CartesianNaming const& naming, std::span<int const> targets);

}  // namespace rondo::mpi
