#pragma once

// Cartesian communicators that carry their topology.

#include <mpi.h>

#include <optional>

#include "mpi/graph/cart_naming.hpp"

namespace rondo::mpi {

/// Collective: as MPI_Cart_create; MPI_COMM_NULL at ranks that are left over. Throws MpiFailure.
MPI_Comm create_cartesian(MPI_Comm comm, int dimensions, int const* extents, int const* periods, int reorder);
/// Collective: as MPI_Cart_sub. SMPI's own has no coordinates at most ranks. Throws MpiFailure.
MPI_Comm cartesian_part(MPI_Comm comm, int const* remaining);
/// Collective: a duplicate carries the topology of its original, if that carries one, and its tuning or that of the
/// info. Throws MpiFailure, with an info as `carry` does.
void carry_on(MPI_Comm original, MPI_Comm duplicate);
void carry_on(MPI_Comm original, MPI_Comm duplicate, MPI_Info info);
/// The names that the grid of a Cartesian communicator gives to ranks; unset for another one.
std::optional<CartesianNaming> cartesian_naming(MPI_Comm comm);

}  // namespace rondo::mpi
