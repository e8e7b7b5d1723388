#pragma once

// The test whether a graph is isomorphic: whether all ranks have the same neighbors relative to themselves.

#include <mpi.h>

#include <span>

#include "mpi_library/graph/cart_naming.hpp"

namespace rondo::mpi {

/// Collective: whether all ranks have the same neighbors relative to themselves [Traeff21, Section 3.2], on an open
/// dimension as far as those are on the grid: there is one list of offsets of which each rank has those, and as often,
/// that lead to points of the grid. Not so where a rank has no name. Compares the lists of all ranks with the union of
/// those of all; throws MpiFailure.
bool is_isomorphic(MPI_Comm comm, CartesianNaming const& naming, std::span<int const> targets);

}  // namespace rondo::mpi
