// Computes with the names of ranks on a grid: coordinates, relative ranks, offsets and neighborhoods.

#include "mpi_library/graph/cart_naming.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "base/error.hpp"

namespace rondo::mpi {
namespace {

Vector in_order(Vector vector, CartesianNaming::Order order) {
  if (order == CartesianNaming::Order::column_major) std::reverse(vector.begin(), vector.end());
  return vector;
}

/// The length of an offset in a metric.
std::int64_t length(Vector const& offset, Metric metric) {
  std::int64_t result = 0;
  for (int const coordinate : offset) {
    std::int64_t const part = std::abs(static_cast<std::int64_t>(coordinate));
    result = metric == Metric::manhattan ? result + part : std::max(result, part);
  }
  return result;
}

/// All vectors with coordinates from `least` to `most`.
struct Box {
  Vector least, most;

  /// The number of vectors; infinity if it is more than a double holds.
  double size() const {
    double result = 1;
    for (std::size_t j = 0; j < least.size(); ++j) result *= static_cast<double>(most[j]) - least[j] + 1;
    return result;
  }
  /// Moves to the next vector in lexicographic order; returns false after the last one.
  bool advance(Vector& offset) const {
    for (std::size_t j = offset.size(); j-- > 0;) {
      if (offset[j] != most[j]) {
        ++offset[j];
        return true;
      }
      offset[j] = least[j];
    }
    return false;
  }
};

}  // namespace

CartesianNaming::CartesianNaming(Vector extents, std::vector<bool> closed, Order order, int ranks)
    : extents_(std::move(extents)),
      closed_(std::move(closed)),
      order_(order),
      ranks_(ranks),
      torus_(in_order(extents_, order)) {}

Vector CartesianNaming::in_order_of_ranks(Vector vector) const { return in_order(std::move(vector), order_); }

std::optional<Vector> CartesianNaming::coordinates(int rank) const {
  if (rank < 0 || rank >= std::min(ranks_, size())) return std::nullopt;
  return in_order(torus_.coordinates(Rank(rank)), order_);
}

/// The rank at these coordinates; unset outside of an open dimension or if the point has no rank.
std::optional<int> CartesianNaming::rank(Vector coordinates) const {
  for (std::size_t j = 0; j < extents_.size(); ++j) {
    if (!closed_[j] && (coordinates[j] < 0 || coordinates[j] >= extents_[j])) return std::nullopt;
  }
  int const rank = torus_.rank(in_order(std::move(coordinates), order_)).value;
  if (rank >= ranks_) return std::nullopt;
  return rank;
}

/// The rank at an offset from another one, or against it with sign = -1.
std::optional<int> CartesianNaming::relative_rank(int source, std::span<int const> offset, int sign) const {
  std::optional<Vector> place = coordinates(source);
  if (!place) return std::nullopt;
  for (std::size_t j = 0; j < extents_.size(); ++j) {
    // Any integer is accepted; the remainder, or the clamp, avoids an overflow.
    int const step = closed_[j] ? offset[j] % extents_[j] : std::clamp(offset[j], -extents_[j], extents_[j]);
    (*place)[j] += sign * step;
  }
  return rank(std::move(*place));
}

/// The shortest offset; of two equally short ones the positive one.
std::optional<Vector> CartesianNaming::offset(int source, int target) const {
  auto const from = coordinates(source);
  auto const to = coordinates(target);
  if (!from || !to) return std::nullopt;
  Vector result;
  for (std::size_t j = 0; j < extents_.size(); ++j) {
    int step = (*to)[j] - (*from)[j];
    if (closed_[j] && 2 * step > extents_[j]) step -= extents_[j];
    if (closed_[j] && 2 * step <= -extents_[j]) step += extents_[j];
    result.push_back(step);
  }
  return result;
}

/// The offsets with a length from `shadow` to `depth`, in lexicographic order.
std::vector<Vector> CartesianNaming::neighbors(int rank, Metric metric, int shadow, int depth) const {
  std::vector<Vector> result;
  std::optional<Vector> const place = coordinates(rank);
  if (depth < 0 || !place) return result;
  Box box{Vector(extents_.size(), -depth), Vector(extents_.size(), depth)};
  for (std::size_t j = 0; j < extents_.size(); ++j) {
    if (closed_[j]) continue;
    box.least[j] = std::max(-depth, -(*place)[j]);
    box.most[j] = std::min(depth, extents_[j] - 1 - (*place)[j]);
  }
  if (box.size() > most_offsets) {
    throw InputError(
        fmt::format("expected a depth of at most {} offsets, got one of {:.0f}", most_offsets, box.size()));
  }
  Vector offset = box.least;
  do {
    std::int64_t const away = length(offset, metric);
    if (away >= shadow && away <= depth && relative_rank(rank, offset)) result.push_back(offset);
  } while (box.advance(offset));
  return result;
}

}  // namespace rondo::mpi
