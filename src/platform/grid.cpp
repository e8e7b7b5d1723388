// Ring, torus and mesh. The link that leaves router r upwards in dimension j has the number 2*(r*d + j), where d is
// the number of dimensions; the link downwards has the next number.

#include <cstdlib>

#include "platform/regular.hpp"

namespace rondo::regular {

namespace {

/// Whether a router has a link in this direction. In a mesh the routers at the border lack one. In a closed dimension
/// of extent 2 both directions lead to the same router, and only the upward link exists. One of extent 1 has no links.
bool exists(Grid const& grid, int router, int dimension, bool down) {
  int const extent = grid.extents.extent(dimension);
  if (grid.closed) return extent > 2 || (extent == 2 && !down);
  int const place = grid.extents.coordinates(Rank(router))[static_cast<std::size_t>(dimension)];
  return down ? place > 0 : place + 1 < extent;
}

}  // namespace

int steps(Grid const& grid, int dimension, int from, int to) {
  int const apart = to - from;
  if (!grid.closed) return apart;
  int const extent = grid.extents.extent(dimension);
  int const up = apart < 0 ? apart + extent : apart;
  return 2 * up <= extent ? up : up - extent;
}

int routers(Grid const& grid) { return grid.extents.size(); }

int router_of(Grid const&, int host) { return host; }

LinkId link_ids(Grid const& grid) { return LinkId{2} * grid.extents.size() * grid.extents.dimensions(); }

/// Unset for a number out of range, and if exists() denies the link.
std::optional<RouterLink> link(Grid const& grid, LinkId id) {
  if (id < 0 || id >= link_ids(grid)) return std::nullopt;
  int const dimensions = grid.extents.dimensions();
  int const router = static_cast<int>(id / 2 / dimensions);
  int const dimension = static_cast<int>(id / 2 % dimensions);
  bool const down = id % 2 != 0;
  if (!exists(grid, router, dimension, down)) return std::nullopt;
  return RouterLink{router, grid.extents.shift(Rank(router), dimension, down ? -1 : 1).value};
}

/// Takes one dimension after the other, from the first one.
void append_route(Grid const& grid, int from, int to, std::vector<LinkId>& links) {
  auto const start = grid.extents.coordinates(Rank(from));
  auto const end = grid.extents.coordinates(Rank(to));
  Rank at(from);
  for (int dimension = 0; dimension < grid.extents.dimensions(); ++dimension) {
    auto const j = static_cast<std::size_t>(dimension);
    int const way = steps(grid, dimension, start[j], end[j]);
    for (int step = 0; step < std::abs(way); ++step) {
      links.push_back(2 * (LinkId{at.value} * grid.extents.dimensions() + dimension) + (way < 0 ? 1 : 0));
      at = grid.extents.shift(at, dimension, way < 0 ? -1 : 1);
    }
  }
}

int hops(Grid const& grid, int from, int to) {
  auto const start = grid.extents.coordinates(Rank(from));
  auto const end = grid.extents.coordinates(Rank(to));
  int result = 0;
  for (std::size_t j = 0; j < start.size(); ++j) {
    result += std::abs(steps(grid, static_cast<int>(j), start[j], end[j]));
  }
  return result;
}

}  // namespace rondo::regular
