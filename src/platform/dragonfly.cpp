// The dragonfly [Kim08], in the form of Cray's XC, and the Dragonfly+ [Shpiner17].
//
// Dragonfly: the links that leave a router have successive numbers: first one for each router of its chassis, then
// one for each chassis of its group, then one for each group that the router may have a link to. The numbers that
// would lead from a router to itself stand for no link.
//
// Dragonfly+: a group is a fat tree of two levels: each of its leaves is joined with each of its spines. Spine k of a
// group is joined with spine k of every other group. The routers of a group are its leaves, then its spines. The
// links that leave a leaf have successive numbers by spine; those that leave a spine by leaf, and then by group; the
// one to its own group does not exist.

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "platform/regular.hpp"

namespace rondo {

/// Throws InputError if a number is not positive or there are too many hosts.
void check(Dragonfly const& machine) {
  std::int64_t hosts = 1;
  for (int const count : {machine.groups, machine.chassis, machine.routers, machine.hosts_per_router}) {
    if (count < 1) throw InputError(fmt::format("expected at least 1 of everything in a dragonfly, got {}", count));
    hosts *= count;
    if (hosts > Torus::most_ranks) {
      throw InputError(fmt::format("expected at most {} hosts in a dragonfly", Torus::most_ranks));
    }
  }
  for (int const count : machine.cables) {
    if (count < 1) throw InputError(fmt::format("expected at least 1 cable in a link, got {}", count));
  }
}

}  // namespace rondo

namespace rondo::regular {

namespace {

/// The routers of one group.
int per_group(Dragonfly const& machine) { return machine.chassis * machine.routers; }

/// The router of group `from` with the link to group `to`.
int gateway(Dragonfly const& machine, int from, int to) { return from * per_group(machine) + to % per_group(machine); }

/// How many groups a router's links may lead to.
int group_slots(Dragonfly const& machine) { return (machine.groups - 1) / per_group(machine) + 1; }

/// How many numbers each router has for the links that leave it.
LinkId slots(Dragonfly const& machine) { return LinkId{machine.routers} + machine.chassis + group_slots(machine); }

/// A router's number taken apart into group, chassis and place in the chassis.
struct Position {
  int group, chassis, router;
  Position(Dragonfly const& machine, int number)
      : group(number / per_group(machine)),
        chassis(number / machine.routers % machine.chassis),
        router(number % machine.routers) {}
};

/// Appends the links of a route within one group: first to the right place in the chassis, then to the right chassis.
void append_within_group(Dragonfly const& machine, int from, int to, std::vector<LinkId>& links) {
  Position const end(machine, to);
  if (Position(machine, from).router != end.router) {
    links.push_back(from * slots(machine) + end.router);
    from += end.router - Position(machine, from).router;
  }
  if (from != to) links.push_back(from * slots(machine) + machine.routers + end.chassis);
}

int hops_within_group(Dragonfly const& machine, int from, int to) {
  Position const start(machine, from), end(machine, to);
  return (start.router != end.router ? 1 : 0) + (start.chassis != end.chassis ? 1 : 0);
}

}  // namespace

int hosts(Dragonfly const& machine) { return routers(machine) * machine.hosts_per_router; }

int routers(Dragonfly const& machine) { return machine.groups * per_group(machine); }

int router_of(Dragonfly const& machine, int host) { return host / machine.hosts_per_router; }

LinkId link_ids(Dragonfly const& machine) { return routers(machine) * slots(machine); }

/// The ends of a link; unset if its number stands for no link.
std::optional<RouterLink> link(Dragonfly const& machine, LinkId id) {
  if (id < 0 || id >= link_ids(machine)) return std::nullopt;
  int const from = static_cast<int>(id / slots(machine));
  int slot = static_cast<int>(id % slots(machine));
  Position const at(machine, from);
  if (slot < machine.routers) {
    if (slot == at.router) return std::nullopt;
    return RouterLink{from, from + slot - at.router, machine.cables[2]};
  }
  slot -= machine.routers;
  if (slot < machine.chassis) {
    if (slot == at.chassis) return std::nullopt;
    return RouterLink{from, from + (slot - at.chassis) * machine.routers, machine.cables[1]};
  }
  slot -= machine.chassis;
  int const group = slot * per_group(machine) + from % per_group(machine);
  if (group >= machine.groups || group == at.group) return std::nullopt;
  return RouterLink{from, gateway(machine, group, at.group), machine.cables[0]};
}

/// Within the group to the router with the link between the groups, over it, and within the other group.
void append_route(Dragonfly const& machine, int from, int to, std::vector<LinkId>& links) {
  int router = router_of(machine, from);
  int const target = router_of(machine, to);
  Position const start(machine, router), end(machine, target);
  if (start.group != end.group) {
    int const exit = gateway(machine, start.group, end.group);
    append_within_group(machine, router, exit, links);
    links.push_back(exit * slots(machine) + machine.routers + machine.chassis + end.group / per_group(machine));
    router = gateway(machine, end.group, start.group);
  }
  append_within_group(machine, router, target, links);
}

/// The length of that route without making it.
int hops(Dragonfly const& machine, int from, int to) {
  int const router = router_of(machine, from);
  int const target = router_of(machine, to);
  Position const start(machine, router), end(machine, target);
  if (start.group == end.group) return hops_within_group(machine, router, target);
  return hops_within_group(machine, router, gateway(machine, start.group, end.group)) + 1 +
         hops_within_group(machine, gateway(machine, end.group, start.group), target);
}

std::string title(Dragonfly const& machine) {
  return fmt::format("A dragonfly of {} groups of {} chassis of {} routers with {} hosts each, cables {}",
                     machine.groups, machine.chassis, machine.routers, machine.hosts_per_router,
                     listed(machine.cables, ", "));
}

}  // namespace rondo::regular

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
