#pragma once

// Points in space, each held by a rank: the input of the bisection program.

#include <array>
#include <cstdint>
#include <vector>

#include "base/ids.hpp"

namespace rondo {

/// A point, and its identity: number `index` of those that rank `home` held first.
struct CloudPoint {
  std::array<double, 3> at = {};
  std::int32_t home = 0;
  std::uint32_t index = 0;
  friend bool operator==(CloudPoint const&, CloudPoint const&) = default;
};

/// How points are distributed in space.
enum class CloudShape : std::uint8_t {
  uniform,     ///< uniformly in a box
  clustered,   ///< in eight boxes, whose edges are a tenth of those of the whole box
  coincident,  ///< all at one position
};

/// The parameters of a random point cloud.
struct PointCloud {
  std::int64_t points = 0;  ///< of all ranks together; each rank has less than 2^32
  CloudShape shape = CloudShape::uniform;
  std::array<double, 3> box = {1, 1, 1};  ///< the lengths of its edges, > 0
  /// Ranks hold numbers of points in proportion to random weights from 1 - imbalance to 1 + imbalance; 0 <= imbalance
  /// <= 1.
  double imbalance = 0;
  std::uint64_t seed = 1;
};

/// The points of each rank, which may lie anywhere in the cloud. They are the same on every machine.
std::vector<std::vector<CloudPoint>> points_of(PointCloud const& cloud, int ranks);

}  // namespace rondo
