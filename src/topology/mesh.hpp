#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "topology/neighborhood.hpp"
#include "topology/torus.hpp"

namespace rondo {

/// Whether the dimensions of a torus close. On an `open` one, a mesh, no link leads from the last coordinate of a
/// dimension to the first, and a neighbor past the end does not exist [Traeff16, Section 7: non-periodic tori].
enum class Boundary : std::uint8_t { periodic, open };

/// R (+) C, or unset where it lies outside a mesh.
std::optional<Rank> add(Torus const& torus, Boundary boundary, Rank from, std::span<int const> offset);
/// R (-) C, or unset where it lies outside a mesh.
std::optional<Rank> subtract(Torus const& torus, Boundary boundary, Rank from, std::span<int const> offset);

/// Whether a mesh has two ranks at this offset from each other: each coordinate is smaller than its extent.
bool fits(Torus const& torus, std::span<int const> offset);
/// The neighborhood with 0 in place of every offset that does not fit the mesh: those blocks go nowhere.
Neighborhood fitting(Torus const& torus, Neighborhood const& neighborhood);

}  // namespace rondo
