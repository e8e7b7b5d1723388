#pragma once

// Cartesian communicators that carry their topology.

#include <mpi.h>

#include <optional>

#include "mpi/runtime/new_comms.hpp"
#include "mpi_library/graph/cart_naming.hpp"

namespace rondo::mpi {

/// Collective: as MPI_Cart_create without reordering; MPI_COMM_NULL at ranks that are left over. Throws MpiFailure, at
/// all ranks alike: MPI_ERR_COMM between two groups; MPI_ERR_DIMS for a negative number of dimensions, an extent that
/// is not positive or more places than ranks, and MPI_ERR_ARG for a list that is missing, at any rank; MPI_ERR_NOT_SAME
/// if the ranks name different grids.
MPI_Comm create_cartesian(MPI_Comm comm, int dimensions, int const* extents, int const* periods);
/// What MPI_Cart_map answers where ranks are not reordered: the rank itself, or MPI_UNDEFINED if there are no more than
/// so many places. Throws MpiFailure as create_cartesian.
int rank_on_grid(MPI_Comm comm, int dimensions, int const* extents, int const* periods);
/// Collective: as MPI_Cart_sub; without a dimension that remains, MPI_COMM_NULL at all ranks but the first, as by
/// MPI_Cart_create. SMPI's own has no coordinates at most ranks. Throws MpiFailure: MPI_ERR_ARG at all
/// ranks if the list is missing at one, MPI_ERR_NOT_SAME if the ranks keep different dimensions.
MPI_Comm cartesian_part(MPI_Comm comm, int const* remaining);
/// A duplicate carries the topology of its original, if that carries one, and its tuning; makes one communicator then.
void carry_on(MPI_Comm original, MPI_Comm duplicate, NewComms& comms);
/// Collective: the same with the tuning of the info. Throws MpiFailure as `carry` does.
void carry_on(MPI_Comm original, MPI_Comm duplicate, MPI_Info info);
/// The names that the grid of a Cartesian communicator gives to ranks; unset for another one.
std::optional<CartesianNaming> cartesian_naming(MPI_Comm comm);

}  // namespace rondo::mpi
