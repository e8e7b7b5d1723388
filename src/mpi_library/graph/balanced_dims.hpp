#pragma once

// The extents of a grid that MPI_Dims_create chooses.

#include <vector>

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

}  // namespace rondo::mpi
