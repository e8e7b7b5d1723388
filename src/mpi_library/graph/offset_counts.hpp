#pragma once

// The neighbors of a rank as offsets from itself, which is how ranks compare them.

#include <map>
#include <span>
#include <vector>

#include "mpi_library/graph/cart_naming.hpp"

namespace rondo::mpi {

/// How often each offset occurs.
using OffsetCounts = std::map<Vector, int>;

/// The offsets from `self` to those ranks of `targets` that have a name. Negative entries are skipped: MPI_PROC_NULL
/// stands for a missing neighbor past the side of a grid.
OffsetCounts offset_counts(CartesianNaming const& naming, int self, std::span<int const> targets);

/// As a message: offset after offset, each with its number behind it.
std::vector<int> flat(OffsetCounts const& counts);

}  // namespace rondo::mpi
