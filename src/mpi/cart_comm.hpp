#pragma once

// Cartesian communicators that carry their topology.

#include <mpi.h>

namespace rondo::mpi {

/// Collective: as MPI_Cart_create; MPI_COMM_NULL at ranks that are left over. Throws MpiFailure.
MPI_Comm create_cartesian(MPI_Comm comm, int dimensions, int const* extents, int const* periods, int reorder);
/// Collective: as MPI_Cart_sub. SMPI's own has no coordinates at most ranks. Throws MpiFailure.
MPI_Comm cartesian_part(MPI_Comm comm, int const* remaining);
/// Collective: a duplicate carries the topology of its original, if that carries one. Throws MpiFailure.
void carry_on(MPI_Comm original, MPI_Comm duplicate);

}  // namespace rondo::mpi
