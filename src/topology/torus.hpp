#pragma once

// The Cartesian structure of ranks on which isomorphic collectives work: coordinates, offsets, shifts and distances.
// Some or all dimensions may be open; if all are, the torus is a mesh. Ranks at the border of open dimensions have
// fewer neighbors, so the arithmetic of isomorphic collectives must say which neighbors exist.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/ids.hpp"
#include "topology/neighborhood.hpp"

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

/// Which dimensions of a torus close. In an open dimension no link leads from the last coordinate to the first, and a
/// neighbor past the end does not exist [Traeff16, Section 7: non-periodic tori].
class Boundary {
 public:
  static Boundary const periodic;  ///< every dimension closes: a torus
  static Boundary const open;      ///< no dimension closes: a mesh
  /// `closed` says for each dimension whether it closes.
  static Boundary closed_in(std::vector<bool> const& closed);

  bool closes(std::size_t dimension) const { return closed_.empty() ? others_close_ : closed_[dimension]; }
  friend bool operator==(Boundary const&, Boundary const&) = default;

 private:
  explicit Boundary(bool others_close) : others_close_(others_close) {}
  bool others_close_;         ///< whether all dimensions close; not read if closed_ lists them
  std::vector<bool> closed_;  ///< empty unless there are both open and closed dimensions
};
inline Boundary const Boundary::periodic(true);
inline Boundary const Boundary::open(false);

// The offset must have as many coordinates as the torus has dimensions; otherwise ContractViolation is thrown.

/// The rank at this offset from `from`, written R (+) C in [Traeff16]; unset if it lies past the end of an open
/// dimension.
std::optional<Rank> add(Torus const& torus, Boundary const& boundary, Rank from, std::span<int const> offset);
/// The rank from which `from` is at this offset, R (-) C; unset if it lies past the end of an open dimension.
std::optional<Rank> subtract(Torus const& torus, Boundary const& boundary, Rank from, std::span<int const> offset);

/// Whether two ranks with this offset exist: each coordinate along an open dimension is smaller than its extent.
bool fits(Torus const& torus, std::span<int const> offset, Boundary const& boundary = Boundary::open);
/// The neighborhood with the offset 0 instead of every one that does not fit, so that the others keep their indices.
Neighborhood fitting(Torus const& torus, Neighborhood const& neighborhood, Boundary const& boundary = Boundary::open);
/// The neighborhood in which equivalent coordinates along a closed dimension (those that differ by a multiple of its
/// extent) are replaced by the smallest of those that the neighborhood has.
Neighborhood alike_modulo_extents(Torus const& torus, Neighborhood const& neighborhood,
                                  Boundary const& boundary = Boundary::periodic);

}  // namespace rondo
