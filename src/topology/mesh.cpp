// Which neighbors exist if some dimensions are open.

#include "topology/mesh.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <vector>

#include "base/error.hpp"

namespace rondo {
namespace {

/// Whether the rank at the offset (or at its opposite, sign -1) exists.
bool stays_inside(Torus const& torus, Boundary const& boundary, Rank from, std::span<int const> offset, int sign) {
  std::vector<int> const coordinates = torus.coordinates(from);
  expects(offset.size() == coordinates.size(), "as many coordinates as dimensions");
  for (std::size_t j = 0; j < coordinates.size(); ++j) {
    if (boundary.closes(j)) continue;
    int const reached = coordinates[j] + sign * offset[j];
    if (reached < 0 || reached >= torus.extents()[j]) return false;
  }
  return true;
}

}  // namespace

/// If all dimensions are alike, the list is left out, so that equal boundaries compare equal.
Boundary Boundary::closed_in(std::vector<bool> const& closed) {
  bool const some_open = std::ranges::count(closed, false) > 0;
  bool const some_closed = std::ranges::count(closed, true) > 0;
  Boundary result(!some_open);
  if (some_open && some_closed) result.closed_ = closed;
  return result;
}

std::optional<Rank> add(Torus const& torus, Boundary const& boundary, Rank from, std::span<int const> offset) {
  if (boundary != Boundary::periodic && !stays_inside(torus, boundary, from, offset, +1)) return std::nullopt;
  return torus.add(from, offset);
}

std::optional<Rank> subtract(Torus const& torus, Boundary const& boundary, Rank from, std::span<int const> offset) {
  if (boundary != Boundary::periodic && !stays_inside(torus, boundary, from, offset, -1)) return std::nullopt;
  return torus.subtract(from, offset);
}

/// Whether some rank has a neighbor at the offset.
bool fits(Torus const& torus, std::span<int const> offset, Boundary const& boundary) {
  expects(offset.size() == torus.extents().size(), "as many coordinates as dimensions");
  for (std::size_t j = 0; j < offset.size(); ++j) {
    if (!boundary.closes(j) && std::abs(offset[j]) >= torus.extents()[j]) return false;
  }
  return true;
}

/// Offsets that do not fit become 0, so that indices of neighbors stay.
Neighborhood fitting(Torus const& torus, Neighborhood const& neighborhood, Boundary const& boundary) {
  std::vector<std::vector<int>> offsets;
  for (int i = 0; i < neighborhood.size(); ++i) {
    std::vector<int> offset(neighborhood[i].begin(), neighborhood[i].end());
    if (!fits(torus, offset, boundary)) offset.assign(offset.size(), 0);
    offsets.push_back(std::move(offset));
  }
  return {neighborhood.dimensions(), offsets};
}

/// Replaces equivalent coordinates by one of them, so that blocks to the same rank share hops.
Neighborhood alike_modulo_extents(Torus const& torus, Neighborhood const& neighborhood, Boundary const& boundary) {
  std::vector<std::vector<int>> offsets;
  for (int i = 0; i < neighborhood.size(); ++i) offsets.emplace_back(neighborhood[i].begin(), neighborhood[i].end());
  for (std::size_t j = 0; j < torus.extents().size(); ++j) {
    if (!boundary.closes(j)) continue;
    int const extent = torus.extents()[j];
    auto const residue = [&](int c) { return (c % extent + extent) % extent; };
    std::map<int, int> smallest;
    for (auto const& offset : offsets) {
      int& representative = smallest.try_emplace(residue(offset[j]), offset[j]).first->second;
      representative = std::min(representative, offset[j]);
    }
    for (auto& offset : offsets) offset[j] = smallest.at(residue(offset[j]));
  }
  return {neighborhood.dimensions(), offsets};
}

}  // namespace rondo
