// Makes neighborhoods, whose number of offsets is limited.

#include "topology/neighborhood.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/error.hpp"

namespace rondo {

/// Appends offsets to a neighborhood and keeps its limits.
class NeighborhoodBuilder {
 public:
  explicit NeighborhoodBuilder(int dimensions) : result_(dimensions, {}, 0) {
    if (dimensions < 0) throw InputError(fmt::format("a neighborhood has 0 or more dimensions, got {}", dimensions));
  }

  /// Throws InputError if a coordinate is too large or there are too many offsets.
  void append(std::span<int const> offset) {
    if (static_cast<int>(offset.size()) != result_.dimensions_) {
      throw InputError(fmt::format("expected an offset of {} coordinates, got {}", result_.dimensions_, offset.size()));
    }
    for (int const c : offset) {
      if (c < -Neighborhood::largest_coordinate || c > Neighborhood::largest_coordinate) {
        throw InputError(
            fmt::format("expected a coordinate from -{0} to {0}, got {1}", Neighborhood::largest_coordinate, c));
      }
    }
    result_.coordinates_.insert(result_.coordinates_.end(), offset.begin(), offset.end());
    ++result_.size_;
    if (static_cast<std::int64_t>(result_.size_) * std::max(1, result_.dimensions_) > Neighborhood::most_coordinates) {
      throw InputError(fmt::format("a neighborhood holds at most {} coordinates", Neighborhood::most_coordinates));
    }
  }

  Neighborhood result() && { return std::move(result_); }

 private:
  Neighborhood result_;
};

void expect_radius(int radius) {
  if (radius < 0 || radius > Neighborhood::largest_coordinate) {
    throw InputError(
        fmt::format("a radius must be an integer from 0 to {}, got {}", Neighborhood::largest_coordinate, radius));
  }
}

namespace {

int chebyshev(std::span<int const> offset) {
  int norm = 0;
  for (int const c : offset) norm = std::max(norm, std::abs(c));
  return norm;
}

/// The largest number of offsets that are generated. Beyond it, schedules take minutes; an explicit list of offsets may
/// be longer.
constexpr double most_candidates = 1 << 20;

/// The offsets of [low, high]^d that `belongs` accepts, in lexicographic order.
template <typename Predicate>
Neighborhood box(int dimensions, int low, int high, Predicate belongs) {
  expect_radius(high);
  NeighborhoodBuilder builder(dimensions);
  double const candidates = std::pow(high - low + 1.0, dimensions);
  if (candidates > most_candidates) {
    throw InputError(fmt::format("a neighborhood of radius {} in {} dimensions is too large", high, dimensions));
  }
  std::vector<int> offset(static_cast<std::size_t>(dimensions), low);
  while (true) {
    if (belongs(std::span<int const>(offset))) builder.append(offset);
    std::size_t j = offset.size();
    while (j > 0 && offset[j - 1] == high) offset[--j] = low;
    if (j == 0) return std::move(builder).result();
    ++offset[j - 1];
  }
}

}  // namespace

Neighborhood::Neighborhood(int dimensions, std::vector<std::vector<int>> const& offsets)
    : dimensions_(dimensions), size_(0) {
  NeighborhoodBuilder builder(dimensions);
  for (std::vector<int> const& offset : offsets) builder.append(offset);
  *this = std::move(builder).result();
}

Neighborhood moore(int dimensions, int radius) {
  return box(dimensions, -radius, radius, [](auto offset) { return chebyshev(offset) > 0; });
}

/// All offsets of at most `radius` hops.
Neighborhood von_neumann(int dimensions, int radius) {
  expect_radius(radius);
  NeighborhoodBuilder builder(dimensions);
  std::vector<int> offset(static_cast<std::size_t>(dimensions), 0);
  // Generates offsets in lexicographic order. Each dimension gets the radius that earlier ones have left, so no other
  // offset is tried.
  auto const extend = [&](auto const& self, std::size_t dimension, int left) -> void {
    if (dimension == offset.size()) {
      if (left < radius) builder.append(offset);
      return;
    }
    for (int c = -left; c <= left; ++c) {
      offset[dimension] = c;
      self(self, dimension + 1, left - std::abs(c));
    }
  };
  extend(extend, 0, radius);
  return std::move(builder).result();
}

Neighborhood shales(int dimensions, std::vector<int> const& radii) {
  int const outermost = radii.empty() ? 0 : *std::max_element(radii.begin(), radii.end());
  return box(dimensions, -outermost, outermost,
             [&](auto offset) { return std::find(radii.begin(), radii.end(), chebyshev(offset)) != radii.end(); });
}

Neighborhood octant(int dimensions, int radius) {
  return box(dimensions, 0, radius, [](auto offset) { return chebyshev(offset) > 0; });
}

Neighborhood printed_octant() {
  return {3, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}, {1, 1, 0}}};
}

}  // namespace rondo
