// The partitions of each topology whose cuts are likely to be narrow.

#include "platform/router_parts.hpp"

#include <fmt/format.h>

#include <map>

#include "base/ids.hpp"
#include "platform/regular.hpp"

namespace rondo {
namespace {

/// A part for each value of `part_of`; routers with a negative value belong to none.
RouterParts parts_by(int routers, auto const& part_of, auto const& name) {
  RouterParts parts;
  std::map<int, int> numbers;
  for (int router = 0; router < routers; ++router) {
    int const part = part_of(router);
    if (part >= 0 && numbers.emplace(part, static_cast<int>(numbers.size())).second) parts.names.push_back(name(part));
    parts.part_of.push_back(part < 0 ? -1 : numbers.at(part));
  }
  return parts;
}

/// Halves and slabs of each dimension.
void add_parts_of_grid(std::vector<RouterParts>& all, Torus const& grid) {
  for (int j = 0; j < grid.dimensions(); ++j) {
    int const extent = grid.extent(j);
    if (extent < 2) continue;
    auto const place = [&](int router) { return grid.coordinates(Rank(router))[at(j)]; };
    auto const in_dimension = grid.dimensions() == 1 ? std::string() : fmt::format(" of dimension {}", j);
    auto const half_name = [&](int half) {
      return half == 0 ? fmt::format("hosts at 0 to {}{}", extent / 2 - 1, in_dimension)
                       : fmt::format("hosts at {} to {}{}", extent / 2, extent - 1, in_dimension);
    };
    all.push_back(parts_by(
        grid.size(), [&](int router) { return place(router) < extent / 2 ? 0 : 1; }, half_name));
    if (grid.dimensions() == 1) continue;
    auto const slab_name = [&](int i) { return fmt::format("hosts at {}{}", i, in_dimension); };
    all.push_back(parts_by(grid.size(), place, slab_name));
  }
}

void add_parts(std::vector<RouterParts>& /*all*/, FullyConnected const& /*machine*/) {}
void add_parts(std::vector<RouterParts>& /*all*/, PlatformFile const& /*machine*/) {}
/// In any other topology each router is a part of its own.
void add_parts(std::vector<RouterParts>& all, auto const& machine) {
  all.push_back(parts_by(
      regular::routers(machine), [](int router) { return router; },
      [](int router) { return fmt::format("hosts of router {}", router); }));
}
void add_parts(std::vector<RouterParts>& all, Ring const& machine) { add_parts_of_grid(all, Torus({machine.hosts})); }
void add_parts(std::vector<RouterParts>& all, TorusMachine const& machine) { add_parts_of_grid(all, machine.torus); }
void add_parts(std::vector<RouterParts>& all, MeshMachine const& machine) { add_parts_of_grid(all, machine.grid); }

/// Routers, chassis and groups.
void add_parts(std::vector<RouterParts>& all, Dragonfly const& machine) {
  int const routers = machine.groups * machine.chassis * machine.routers;
  auto const by_count = [&](int count, char const* what) {
    all.push_back(parts_by(
        routers, [&](int router) { return router / count; },
        [&](int i) { return fmt::format("hosts of {} {}", what, i); }));
  };
  by_count(1, "router");
  by_count(machine.routers, "chassis");
  int const group = machine.chassis * machine.routers;
  by_count(group, "group");
  if (machine.groups < 4) return;
  int const half = machine.groups / 2;
  all.push_back(parts_by(
      routers, [&](int router) { return router / group < half ? 0 : 1; },
      [&](int i) {
        return i == 0 ? fmt::format("hosts of groups 0 to {}", half - 1)
                      : fmt::format("hosts of groups {} to {}", half, machine.groups - 1);
      }));
}

/// A part is the subtree of a switch of level l: the hosts with the same [host/M_l] and all switches between them and
/// that level, itself included.
void add_parts(std::vector<RouterParts>& all, FatTree const& machine) {
  std::size_t const levels = machine.down.size();
  for (std::size_t level = 1; level < levels; ++level) {
    std::vector<int> part_of;
    std::int64_t width = 1, hosts = 1;
    for (std::size_t l = 0; l < levels; ++l) hosts *= machine.down[l];
    std::int64_t below = 1, here = hosts;  // M_l of this level, and hosts / M_l of each level
    for (std::size_t l = 0; l < level; ++l) below *= machine.down[l];
    for (std::size_t l = 1; l <= levels; ++l) {
      here /= machine.down[l - 1];
      width *= machine.up[l - 1];
      std::int64_t const subtrees = hosts / below, each = here / subtrees;  // switches' a values in a subtree
      for (std::int64_t place = 0; place < here * width; ++place) {
        part_of.push_back(l <= level ? static_cast<int>(place / width / each) : -1);
      }
    }
    std::int64_t const count = below;
    all.push_back(parts_by(
        static_cast<int>(part_of.size()), [&](int router) { return part_of[at(router)]; },
        [&](int i) { return fmt::format("hosts {} to {}", i * count, (i + 1) * count - 1); }));
  }
}

}  // namespace

std::vector<RouterParts> router_parts(MachineTopology const& topology) {
  std::vector<RouterParts> all;
  std::visit([&](auto const& machine) { add_parts(all, machine); }, topology);
  return all;
}

}  // namespace rondo
