// The HyperX [Ahn09]. In dimension j a router is joined with all routers that differ from it in coordinate j alone.
// The links that leave a router have successive numbers, ordered by dimension and then by the coordinate that they lead
// to. The number that would lead to the router's own coordinate stands for no link.

#include <fmt/format.h>

#include <numeric>

#include "base/error.hpp"
#include "base/index.hpp"
#include "base/listed.hpp"
#include "platform/regular.hpp"

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
