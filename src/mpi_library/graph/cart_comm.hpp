#pragma once

// Cartesian communicators that carry their topology, and the extents of a grid that MPI_Dims_create chooses.

#include <mpi.h>

#include <optional>
#include <vector>

#include "mpi/runtime/own_comm.hpp"
#include "mpi_library/graph/cart_naming.hpp"

namespace rondo::mpi {

/// `count` positive extents whose product is `places` (>= 1), the largest first. The difference between the largest and
/// the smallest is as small as possible, as [J. L. Traeff, F. D. Luebbe: Specification Guideline Violations by
/// MPI_Dims_create, EuroMPI 2015] asks for. Among several such choices it is the one whose smallest extent is largest:
/// 21 x 16 x 15 and not 20 x 18 x 14.
std::vector<int> balanced_extents(int places, int count);

/// Fills in the extents that are 0, as MPI_Dims_create does. Throws MpiFailure: MPI_ERR_DIMS for a negative extent, if
/// `places` is no multiple of the product of the given extents, or if no extent is 0 and their product is not `places`;
/// MPI_ERR_ARG if `places` is not positive.
void fill_in_extents(int places, std::vector<int>& extents);

/// Collective. Like MPI_Cart_create without reordering; returns MPI_COMM_NULL at ranks that are left over. Throws
/// MpiFailure at all ranks alike: MPI_ERR_COMM for an inter-communicator; MPI_ERR_DIMS if any rank gives a negative
/// number of dimensions, an extent that is not positive or more places than ranks; MPI_ERR_ARG if a list is missing at
/// any rank; MPI_ERR_NOT_SAME if the ranks name different grids.
MPI_Comm create_cartesian(MPI_Comm comm, int dimensions, int const* extents, int const* periods);
/// The answer of MPI_Cart_map if ranks are not reordered: the rank itself, or MPI_UNDEFINED if it is past the last
/// place. Not collective: throws MpiFailure as create_cartesian, but only for the arguments of this rank.
int rank_on_grid(MPI_Comm comm, int dimensions, int const* extents, int const* periods);
/// Collective. Like MPI_Cart_sub. `remaining` says for each dimension whether it remains. If none does, returns
/// MPI_COMM_NULL at all ranks but the first, as MPI_Cart_create does. It replaces SMPI's own function, which gives no
/// coordinates to most ranks. Throws MpiFailure: MPI_ERR_ARG at all ranks if the list is missing at one,
/// MPI_ERR_NOT_SAME if the ranks keep different dimensions, and the MPI library's error if `comm` has no grid.
MPI_Comm cartesian_part(MPI_Comm comm, int const* remaining);
/// Gives a duplicate the topology and tuning of its original, and makes one communicator for that. Does nothing if the
/// original has no topology. Throws MpiFailure.
void carry_on(MPI_Comm original, MPI_Comm duplicate, NewComms& comms);
/// Collective. Gives a duplicate the topology of its original, but the tuning of the info. Throws MpiFailure as
/// attach_topology, and then has freed the duplicate.
void carry_on(MPI_Comm original, MPI_Comm duplicate, MPI_Info info);
/// The names that the grid of a Cartesian communicator gives to ranks; unset for any other communicator.
std::optional<CartesianNaming> cartesian_naming(MPI_Comm comm);

}  // namespace rondo::mpi
