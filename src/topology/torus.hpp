#pragma once

// The Cartesian structure of ranks on which isomorphic collectives work: coordinates, offsets, shifts and distances.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/ids.hpp"

namespace rondo {

/// A d-dimensional torus with p = product of the extents ranks, which are numbered row-major as in MPI: the last
/// dimension varies fastest. Extents of 1 and 2 are allowed; then a shift may lead back to the rank itself, or twice to
/// the same neighbor.
class Torus {
 public:
  static constexpr std::int64_t most_ranks = std::int64_t{1} << 24;

  /// Throws InputError unless every extent is at least 1 and their product is at most most_ranks. Without extents there
  /// is one rank.
  explicit Torus(std::vector<int> extents);

  int dimensions() const { return static_cast<int>(extents_.size()); }
  int extent(int dimension) const { return extents_[static_cast<std::size_t>(dimension)]; }
  std::vector<int> const& extents() const { return extents_; }
  int size() const { return size_; }

  std::vector<int> coordinates(Rank rank) const;
  /// The rank with these coordinates, which may be any integers and are taken modulo the extents.
  Rank rank(std::span<int const> coordinates) const;
  /// R (+) C: the rank at offset C from `from`.
  Rank add(Rank from, std::span<int const> offset) const;
  /// R (-) C: the rank from which `from` is at offset C.
  Rank subtract(Rank from, std::span<int const> offset) const;
  /// The rank that is `steps` ranks away along one dimension.
  Rank shift(Rank from, int dimension, int steps) const;
  /// Whether the offset leads back to the rank itself, because every coordinate is 0 modulo its extent.
  bool is_self(std::span<int const> offset) const;
  /// The smallest number of hops between immediate neighbors from a rank to its neighbor at `offset`.
  int distance(std::span<int const> offset) const;
  int distance(Rank from, Rank to) const;

  friend bool operator==(Torus const&, Torus const&) = default;

 private:
  std::vector<int> extents_;
  std::vector<int> strides_;
  int size_ = 1;
};

/// Reads positive extents separated by commas, such as "8,8". An empty text has no extents; any other text gives
/// nothing.
std::optional<std::vector<int>> extents_in(std::string_view text);

}  // namespace rondo
