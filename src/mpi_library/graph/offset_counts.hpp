#pragma once

// The neighbors of a rank as offsets from it, the form in which ranks compare them.

#include <map>
#include <span>
#include <vector>

#include "mpi_library/graph/cart_naming.hpp"

namespace rondo::mpi {

/// How often each offset occurs.
using OffsetCounts = std::map<Vector, int>;

/// The offsets from `self` to those of `targets` that have a name. Negative entries are skipped, because MPI_PROC_NULL
/// stands for a neighbor past the border of a grid.
OffsetCounts offset_counts(CartesianNaming const& naming, int self, std::span<int const> targets);

/// The counts as a message: offset after offset, each followed by its count.
std::vector<int> flat(OffsetCounts const& counts);

}  // namespace rondo::mpi
