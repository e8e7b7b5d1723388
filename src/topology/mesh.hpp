#pragma once

// Tori of which some or all dimensions are open, a mesh if all are: ranks at the border have fewer neighbors.
// Isomorphic collectives on meshes need arithmetic that says which neighbors exist.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "topology/neighborhood.hpp"
#include "topology/torus.hpp"

namespace rondo {

/// Which dimensions of a torus close. In an open one no link leads from the last coordinate to the first, and a
/// neighbor past the end does not exist [Traeff16, Section 7: non-periodic tori].
class Boundary {
 public:
  static Boundary const periodic;  ///< every dimension closes: a torus
  static Boundary const open;      ///< no dimension closes: a mesh
  /// By dimension whether it closes.
  static Boundary closed_in(std::vector<bool> const& closed);

  bool closes(std::size_t dimension) const { return closed_.empty() ? rest_closes_ : closed_[dimension]; }
  friend bool operator==(Boundary const&, Boundary const&) = default;

 private:
  explicit Boundary(bool rest_closes) : rest_closes_(rest_closes) {}
  bool rest_closes_;
  std::vector<bool> closed_;  ///< empty unless there are dimensions of both kinds
};
inline Boundary const Boundary::periodic(true);
inline Boundary const Boundary::open(false);

/// R (+) C, or unset where it lies past the end of an open dimension.
std::optional<Rank> add(Torus const& torus, Boundary const& boundary, Rank from, std::span<int const> offset);
/// R (-) C, or unset where it lies past the end of an open dimension.
std::optional<Rank> subtract(Torus const& torus, Boundary const& boundary, Rank from, std::span<int const> offset);

/// Whether there are two ranks at this offset from each other: each coordinate along an open dimension is smaller than
/// its extent.
bool fits(Torus const& torus, std::span<int const> offset, Boundary const& boundary = Boundary::open);
/// The neighborhood with 0 in place of every offset that does not fit: those blocks go nowhere.
Neighborhood fitting(Torus const& torus, Neighborhood const& neighborhood, Boundary const& boundary = Boundary::open);
/// The neighborhood in which coordinates that lead to the same place along a closed dimension, as its extent divides
/// their difference, are the same integer: the smallest of them.
Neighborhood alike_modulo_extents(Torus const& torus, Neighborhood const& neighborhood,
                                  Boundary const& boundary = Boundary::periodic);

}  // namespace rondo
