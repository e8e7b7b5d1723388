#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/ids.hpp"

namespace rondo {

/// A d-dimensional torus of p = product of the extents ranks, numbered row-major as in MPI: the last dimension varies
/// fastest. An extent of 1 or 2 is allowed: a shift may lead back to the rank itself or twice to the same neighbor.
class Torus {
 public:
  static constexpr std::int64_t most_ranks = std::int64_t{1} << 24;

  /// Throws InputError unless every extent is >= 1 and their product is at most most_ranks. No extents: one rank.
  explicit Torus(std::vector<int> extents);

  int dimensions() const { return static_cast<int>(extents_.size()); }
  int extent(int dimension) const { return extents_[static_cast<std::size_t>(dimension)]; }
  std::vector<int> const& extents() const { return extents_; }
  int size() const { return size_; }

  std::vector<int> coordinates(Rank rank) const;
  /// Coordinates are taken modulo the extents; any integers.
  Rank rank(std::span<int const> coordinates) const;
  /// R (+) C: the rank at relative offset C from `from`; C is taken modulo the extents.
  Rank add(Rank from, std::span<int const> offset) const;
  /// R (-) C.
  Rank subtract(Rank from, std::span<int const> offset) const;
  Rank shift(Rank from, int dimension, int steps) const;
  /// Whether the offset leads back to the rank itself (every coordinate is 0 modulo its extent).
  bool is_self(std::span<int const> offset) const;
  /// Fewest hops between immediate neighbors that lead from a rank to its neighbor at `offset`.
  int distance(std::span<int const> offset) const;
  int distance(Rank from, Rank to) const;

  friend bool operator==(Torus const&, Torus const&) = default;

 private:
  std::vector<int> extents_;
  std::vector<int> strides_;
  int size_ = 1;
};

/// Positive extents separated by commas, such as "8,8"; none of an empty text, unset for any other one.
std::optional<std::vector<int>> extents_in(std::string_view text);

}  // namespace rondo
