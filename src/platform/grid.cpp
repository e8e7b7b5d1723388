// Topologies of dimensions: ring, torus, mesh and HyperX [Ahn09].
//
// Ring, torus and mesh: the link that leaves router r upwards in dimension j has the number 2*(r*d + j), where d is
// the number of dimensions; the link downwards has the next number.
//
// HyperX: in dimension j a router is joined with all routers that differ from it in coordinate j alone. The links
// that leave a router have successive numbers, ordered by dimension and then by the coordinate that they lead to. The
// number that would lead to the router's own coordinate stands for no link.

#include <fmt/format.h>

#include <cstdlib>
#include <numeric>

#include "base/error.hpp"
#include "base/ids.hpp"
#include "base/text.hpp"
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

namespace rondo {

/// The number of links is the number of routers times the sum of the extents, with the numbers that stand for no link.
void check(HyperX const& machine) {
  if (machine.dims.empty() || machine.cables.size() != machine.dims.size()) {
    throw InputError(fmt::format("expected as many numbers of cables as a HyperX has dimensions, {}, got {}",
                                 machine.dims.size(), machine.cables.size()));
  }
  expect_at_least_1(machine.dims, "extent in a HyperX");
  expect_at_least_1(machine.cables, "cable in a link");
  std::vector<int> parts = machine.dims;
  parts.push_back(machine.hosts_per_router);
  expect_at_least_1(parts, "host on each router");
  expect_hosts(parts, "a HyperX");
  double links = std::accumulate(machine.dims.begin(), machine.dims.end(), 0.0);
  for (int const extent : machine.dims) links *= extent;
  expect_links(links);
}

}  // namespace rondo

namespace rondo::regular {

namespace {

/// How many numbers each router has for the links that leave it.
LinkId slots(HyperX const& machine) { return std::accumulate(machine.dims.begin(), machine.dims.end(), LinkId{0}); }

/// By dimension, how far apart the numbers of two routers are that differ by 1 in that coordinate. Routers are numbered
/// row-major.
std::vector<int> strides(HyperX const& machine) {
  std::vector<int> result(machine.dims.size(), 1);
  for (std::size_t j = machine.dims.size() - 1; j > 0; --j) result[j - 1] = result[j] * machine.dims[j];
  return result;
}

}  // namespace

int hosts(HyperX const& machine) { return routers(machine) * machine.hosts_per_router; }

int routers(HyperX const& machine) {
  return std::accumulate(machine.dims.begin(), machine.dims.end(), 1, std::multiplies<>());
}

int router_of(HyperX const& machine, int host) { return host / machine.hosts_per_router; }

LinkId link_ids(HyperX const& machine) { return routers(machine) * slots(machine); }

/// The ends of a link; unset for the number that leads to the router itself.
std::optional<RouterLink> link(HyperX const& machine, LinkId id) {
  auto const from = static_cast<int>(id / slots(machine));
  int to = static_cast<int>(id % slots(machine));
  std::size_t j = 0;
  for (; to >= machine.dims[j]; ++j) to -= machine.dims[j];
  int const stride = strides(machine)[j];
  int const here = from / stride % machine.dims[j];
  if (here == to) return std::nullopt;
  return RouterLink{from, from + (to - here) * stride, machine.cables[j]};
}

/// A route has one link for each dimension in which the routers differ, from the first dimension on.
void append_route(HyperX const& machine, int from, int to, std::vector<LinkId>& links) {
  int router = router_of(machine, from);
  int const target = router_of(machine, to);
  std::vector<int> const stride = strides(machine);
  LinkId first = 0;  // of the links in a dimension
  for (std::size_t j = 0; j < machine.dims.size(); first += machine.dims[j++]) {
    int const own_coordinate = router / stride[j] % machine.dims[j],
              target_coordinate = target / stride[j] % machine.dims[j];
    if (own_coordinate == target_coordinate) continue;
    links.push_back(router * slots(machine) + first + target_coordinate);
    router += (target_coordinate - own_coordinate) * stride[j];
  }
}

/// The number of dimensions in which the routers differ.
int hops(HyperX const& machine, int from, int to) {
  int const router = router_of(machine, from), target = router_of(machine, to);
  std::vector<int> const stride = strides(machine);
  int count = 0;
  for (std::size_t j = 0; j < stride.size(); ++j) {
    if (router / stride[j] % machine.dims[j] != target / stride[j] % machine.dims[j]) ++count;
  }
  return count;
}

std::string title(HyperX const& machine) {
  return fmt::format("A HyperX of [{}] routers with {} hosts each, cables {}", listed(machine.dims, ", "),
                     machine.hosts_per_router, listed(machine.cables, ", "));
}

}  // namespace rondo::regular
