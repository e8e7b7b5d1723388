#pragma once

// Finds where a cloud of points that lies on several ranks is cut in two: across its longest principal axis of
// inertia.

#include <array>
#include <cstdint>
#include <span>
#include <utility>

#include "mpi/runtime/short_messages.hpp"
#include "topology/point_cloud.hpp"

namespace rondo::mpi {

/// The place of a point in the order of all points: its projection on the axis, mapped to an integer of the same order,
/// and for equal projections its home and index.
using CutKey = std::pair<std::uint64_t, std::uint64_t>;

/// A cut across an axis.
struct Cut {
  std::array<double, 3> axis = {1, 0, 0};
  CutKey limit = {};  ///< points before it are in
  CutKey key(CloudPoint const& point) const;
  bool has(CloudPoint const& point) const { return key(point) < limit; }
};

/// Collective. The cut that has exactly `in` of the `all` points that the ranks hold (0 <= in <= all); it is the same
/// at all ranks. Coordinates must be finite. Throws MpiFailure.
Cut median_cut(Reductions& ranks, std::span<CloudPoint const> points, std::int64_t in, std::int64_t all);

/// The eigenvector for the largest eigenvalue of a symmetric matrix, with length 1. The matrix is given as xx, xy, xz,
/// yy, yz, zz.
std::array<double, 3> principal_axis(std::array<double, 6> const& matrix);

}  // namespace rondo::mpi
