#pragma once

// The extents that MPI_Dims_create chooses.

#include <vector>

namespace rondo::mpi {

/// `count` positive extents whose product is `places` (>= 1), the largest first, as close to each other as possible:
/// the difference between the largest and the smallest is least, as [J. L. Traeff, F. D. Luebbe: Specification
/// Guideline Violations by MPI_Dims_create, EuroMPI 2015] asks for. Of several such choices it is the one with the
/// largest smallest extent: 21 x 16 x 15 and not 20 x 18 x 14.
std::vector<int> balanced_extents(int places, int count);

/// Fills in the extents that are 0, as MPI_Dims_create does. Throws MpiFailure: MPI_ERR_DIMS for a negative extent, for
/// `places` that are no multiple of the product of the given ones, or if none is 0 and that product is another one;
/// MPI_ERR_ARG if `places` is not positive.
void fill_in_extents(int places, std::vector<int>& extents);

}  // namespace rondo::mpi
