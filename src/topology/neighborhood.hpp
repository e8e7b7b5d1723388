#pragma once

// Neighborhoods of isomorphic collectives, as lists of relative offsets, and the usual shapes.

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace rondo {

/// An isomorphic neighborhood [Traeff16, Section 2]: the sequence C^0 .. C^(s-1) of relative offsets, each of d
/// integers, to which every rank sends. Blocks in the send and receive buffers have the same order. Duplicates, the
/// zero vector and offsets larger than the extents of a torus are allowed.
class Neighborhood {
 public:
  /// The largest number of coordinates (s * d) of a neighborhood; the constructors throw InputError for more.
  static constexpr std::int64_t most_coordinates = std::int64_t{1} << 26;
  /// The largest magnitude of a coordinate.
  static constexpr int largest_coordinate = 1 << 20;

  /// Throws InputError if a row does not have `dimensions` coordinates, or if a coordinate is too large.
  Neighborhood(int dimensions, std::vector<std::vector<int>> const& offsets);

  int dimensions() const { return dimensions_; }
  /// The number of offsets, s.
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

/// Throws InputError unless the radius is from 0 to Neighborhood::largest_coordinate.
void expect_radius(int radius);
/// Every offset except 0 with Chebyshev norm at most `radius`, in lexicographic order: (2r+1)^d - 1 neighbors.
Neighborhood moore(int dimensions, int radius);
/// Every offset except 0 with L1 norm at most `radius`, in lexicographic order.
Neighborhood von_neumann(int dimensions, int radius);
/// Every offset whose Chebyshev norm is one of `radii` [Traeff16, Section 6], in lexicographic order.
Neighborhood shales(int dimensions, std::vector<int> const& radii);
/// Every offset except 0 with all coordinates in 0 .. radius [Traeff16, Figure 2(f)], in lexicographic order.
Neighborhood octant(int dimensions, int radius);
/// The list octant[] as printed in [Traeff16, Section 2], which is octant(3, 1) in another order. It has only 20 of its
/// 21 integers. A program would read an undefined value for the last one; here it is 0.
Neighborhood printed_octant();

}  // namespace rondo
