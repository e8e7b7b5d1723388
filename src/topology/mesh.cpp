#include "topology/mesh.hpp"

#include <cstdlib>
#include <vector>

#include "base/error.hpp"

namespace rondo {
namespace {

bool stays_inside(Torus const& torus, Rank from, std::span<int const> offset, int sign) {
  std::vector<int> const coordinates = torus.coordinates(from);
  expects(offset.size() == coordinates.size(), "as many coordinates as dimensions");
  for (std::size_t j = 0; j < coordinates.size(); ++j) {
    int const reached = coordinates[j] + sign * offset[j];
    if (reached < 0 || reached >= torus.extents()[j]) return false;
  }
  return true;
}

}  // namespace

std::optional<Rank> add(Torus const& torus, Boundary boundary, Rank from, std::span<int const> offset) {
  if (boundary == Boundary::open && !stays_inside(torus, from, offset, +1)) return std::nullopt;
  return torus.add(from, offset);
}

std::optional<Rank> subtract(Torus const& torus, Boundary boundary, Rank from, std::span<int const> offset) {
  if (boundary == Boundary::open && !stays_inside(torus, from, offset, -1)) return std::nullopt;
  return torus.subtract(from, offset);
}

bool fits(Torus const& torus, std::span<int const> offset) {
  expects(offset.size() == torus.extents().size(), "as many coordinates as dimensions");
  for (std::size_t j = 0; j < offset.size(); ++j) {
    if (std::abs(offset[j]) >= torus.extents()[j]) return false;
  }
  return true;
}

Neighborhood fitting(Torus const& torus, Neighborhood const& neighborhood) {
  std::vector<std::vector<int>> offsets;
  for (int i = 0; i < neighborhood.size(); ++i) {
    std::vector<int> offset(neighborhood[i].begin(), neighborhood[i].end());
    if (!fits(torus, offset)) offset.assign(offset.size(), 0);
    offsets.push_back(std::move(offset));
  }
  return {neighborhood.dimensions(), offsets};
}

}  // namespace rondo
