#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace rondo {

/// An isomorphic neighborhood [Traeff16, Section 2]: the sequence C^0 .. C^(s-1) of relative offsets, each of d
/// integers, that every rank sends to. The order is that of the blocks in the send and receive buffers. Duplicates,
/// the zero vector and offsets past the extents of a torus are allowed.
class Neighborhood {
 public:
  /// The most coordinates (s * d) a neighborhood may hold; past it the constructors throw InputError.
  static constexpr std::int64_t most_coordinates = std::int64_t{1} << 26;
  /// The largest magnitude of a coordinate.
  static constexpr int largest_coordinate = 1 << 20;

  /// Throws InputError when a row has another length than `dimensions` or a coordinate is too large.
  Neighborhood(int dimensions, std::vector<std::vector<int>> const& offsets);

  int dimensions() const { return dimensions_; }
  /// s
  int size() const { return size_; }
  std::span<int const> operator[](int i) const {
    return std::span(coordinates_).subspan(static_cast<std::size_t>(i) * stride(), stride());
  }

  friend bool operator==(Neighborhood const&, Neighborhood const&) = default;

 private:
  friend class NeighborhoodBuilder;
  Neighborhood(int dimensions, std::vector<int> coordinates, int size)
      : dimensions_(dimensions), size_(size), coordinates_(std::move(coordinates)) {}
  std::size_t stride() const { return static_cast<std::size_t>(dimensions_); }

  int dimensions_;
  int size_;
  std::vector<int> coordinates_;
};

/// Every offset but 0 with Chebyshev norm at most `radius`, in row (lexicographic) order: (2r+1)^d - 1 neighbors.
Neighborhood moore(int dimensions, int radius);
/// Every offset but 0 with L1 norm at most `radius`, in row order.
Neighborhood von_neumann(int dimensions, int radius);
/// Every offset whose Chebyshev norm is one of `radii` [Traeff16, Section 6], in row order.
Neighborhood shales(int dimensions, std::vector<int> const& radii);
/// Every offset but 0 with all coordinates in 0 .. radius [Traeff16, Figure 2(f)], in row order.
Neighborhood octant(int dimensions, int radius);
/// The list octant[] of [Traeff16, Section 2], for octant(3, 1) in another order. It has 20 of its 21 integers: what a
/// program reads for the last one is not defined, here it is 0.
Neighborhood printed_octant();

}  // namespace rondo
