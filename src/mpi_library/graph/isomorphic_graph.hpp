#pragma once

// Tests whether a graph is isomorphic, for the C interface of Cartesian naming (interface/cart_naming.cpp).

#include <mpi.h>

#include <span>

#include "mpi_library/graph/cart_naming.hpp"

namespace rondo::mpi {

/// Collective. Returns whether all ranks have the same neighbors relative to themselves [Traeff21, Section 3.2]. There
/// must be one list of offsets, repeated ones included, from which each rank lacks only those that lead from it to no
/// rank. If a rank or a target has no name, the graph is not isomorphic. `targets` are the targets of this rank;
/// negative ones (MPI_PROC_NULL) are ignored. Every rank gathers the offsets of all ranks. Throws MpiFailure.
bool is_isomorphic(MPI_Comm comm, CartesianNaming const& naming, std::span<int const> targets);

}  // namespace rondo::mpi
