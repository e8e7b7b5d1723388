#pragma once

// Tori with some or all dimensions open; a mesh if all are. Ranks at the border have fewer neighbors, so the arithmetic
// of isomorphic collectives must say which neighbors exist.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "topology/neighborhood.hpp"
#include "topology/torus.hpp"

namespace rondo {

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
