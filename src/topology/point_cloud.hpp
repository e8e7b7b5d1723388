#pragma once

// Points in space, each held by a rank.

#include <array>
#include <cstdint>
#include <vector>

#include "base/ids.hpp"

namespace rondo {

/// A point and what it stands for: number `index` of those that rank `home` held first.
struct CloudPoint {
  std::array<double, 3> at = {};
  std::int32_t home = 0;
  std::uint32_t index = 0;
  friend bool operator==(CloudPoint const&, CloudPoint const&) = default;
};

enum class CloudShape : std::uint8_t {
  uniform,     ///< in a box
  clustered,   ///< in eight boxes, each a tenth as long as the box that they lie in
  coincident,  ///< all at one place
};

struct PointCloud {
  std::int64_t points = 0;  ///< points of all ranks together; each has less than 2^32
  CloudShape shape = CloudShape::uniform;
  std::array<double, 3> box = {1, 1, 1};  ///< its lengths, > 0
  /// Ranks hold numbers of points proportional to numbers drawn from 1 - imbalance to 1 + imbalance; from 0 to 1.
  double imbalance = 0;
  std::uint64_t seed = 1;
};

/// The points of each rank, which lie anywhere in the cloud: the same on every machine.
std::vector<std::vector<CloudPoint>> points_of(PointCloud const& cloud, int ranks);

}  // namespace rondo
