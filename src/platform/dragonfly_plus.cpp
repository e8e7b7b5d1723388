// The Dragonfly+ [Shpiner17]. A group is a fat tree of two levels: each of its leaves is joined with each of its
// spines. Spine k of a group is joined with spine k of every other group. The routers of a group are its leaves, then
// its spines. The links that leave a leaf have successive numbers by spine; those that leave a spine by leaf, and then
// by group; the one to its own group does not exist.

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/listed.hpp"
#include "platform/regular.hpp"

namespace rondo {

void check(DragonflyPlus const& machine) {
  std::vector<int> const parts{machine.groups, machine.leaves, machine.hosts_per_leaf};
  expect_at_least_1({machine.groups, machine.leaves, machine.spines, machine.hosts_per_leaf},
                    "of everything in a Dragonfly+");
  expect_at_least_1({machine.cables[0], machine.cables[1]}, "cable in a link");
  expect_hosts(parts, "a Dragonfly+");
  double const spines = double{1} * machine.groups * machine.spines;
  expect_links(spines * (2.0 * machine.leaves + machine.groups));
}

}  // namespace rondo

namespace rondo::regular {

namespace {

/// The number of routers of one group.
int per_group(DragonflyPlus const& machine) { return machine.leaves + machine.spines; }
/// How many numbers a group has for the links that leave its leaves, and for those that leave all its routers.
LinkId leaf_slots(DragonflyPlus const& machine) { return LinkId{machine.leaves} * machine.spines; }
LinkId group_slots(DragonflyPlus const& machine) {
  return leaf_slots(machine) + LinkId{machine.spines} * (machine.leaves + machine.groups);
}
/// The numbers of a leaf and of a spine among all routers of the machine.
int leaf(DragonflyPlus const& machine, int group, int place) { return group * per_group(machine) + place; }
int spine(DragonflyPlus const& machine, int group, int place) { return leaf(machine, group, machine.leaves + place); }

/// The number of the link from a leaf up to a spine of its group.
LinkId up(DragonflyPlus const& machine, int group, int leaf, int spine) {
  return group * group_slots(machine) + LinkId{leaf} * machine.spines + spine;
}
/// The number of a link that leaves a spine. `to` is a leaf of its group, or the number of leaves plus the number of
/// another group.
LinkId from_spine(DragonflyPlus const& machine, int group, int spine, int to) {
  return group * group_slots(machine) + leaf_slots(machine) + LinkId{spine} * (machine.leaves + machine.groups) + to;
}

}  // namespace

int hosts(DragonflyPlus const& machine) { return machine.groups * machine.leaves * machine.hosts_per_leaf; }

int routers(DragonflyPlus const& machine) { return machine.groups * per_group(machine); }

int router_of(DragonflyPlus const& machine, int host) {
  int const number = host / machine.hosts_per_leaf;  // of its leaf among the leaves of all groups
  return leaf(machine, number / machine.leaves, number % machine.leaves);
}

LinkId link_ids(DragonflyPlus const& machine) { return machine.groups * group_slots(machine); }

/// The ends of a link; unset if its number stands for no link.
std::optional<RouterLink> link(DragonflyPlus const& machine, LinkId id) {
  auto const group = static_cast<int>(id / group_slots(machine));
  auto rest = static_cast<int>(id % group_slots(machine));
  auto const [between, within] = machine.cables;
  if (rest < leaf_slots(machine)) {
    return RouterLink{leaf(machine, group, rest / machine.spines), spine(machine, group, rest % machine.spines),
                      within};
  }
  rest -= static_cast<int>(leaf_slots(machine));
  int const place = rest / (machine.leaves + machine.groups), to = rest % (machine.leaves + machine.groups);
  if (to < machine.leaves) return RouterLink{spine(machine, group, place), leaf(machine, group, to), within};
  int const other = to - machine.leaves;
  if (other == group) return std::nullopt;
  return RouterLink{spine(machine, group, place), spine(machine, other, place), between};
}

/// The route goes up to the spine that the destination chooses, over to the destination's group, and down.
void append_route(DragonflyPlus const& machine, int from, int to, std::vector<LinkId>& links) {
  int const start = from / machine.hosts_per_leaf, end = to / machine.hosts_per_leaf;  // leaves of all groups
  if (start == end) return;
  int const first = start / machine.leaves, last = end / machine.leaves;
  int const over = to % machine.spines;
  links.push_back(up(machine, first, start % machine.leaves, over));
  if (first != last) links.push_back(from_spine(machine, first, over, machine.leaves + last));
  links.push_back(from_spine(machine, last, over, end % machine.leaves));
}

int hops(DragonflyPlus const& machine, int from, int to) {
  int const start = from / machine.hosts_per_leaf, end = to / machine.hosts_per_leaf;
  if (start == end) return 0;
  return start / machine.leaves == end / machine.leaves ? 2 : 3;
}

std::string title(DragonflyPlus const& machine) {
  return fmt::format("A Dragonfly+ of {} groups of {} leaves with {} hosts each and {} spines, cables {}",
                     machine.groups, machine.leaves, machine.hosts_per_leaf, machine.spines,
                     listed(machine.cables, ", "));
}

}  // namespace rondo::regular
