// The dragonfly [Kim08], in the form of Cray's XC. The links that leave a router have successive numbers: first one
// for each router of its chassis, then one for each chassis of its group, then one for each group that the router may
// have a link to. The numbers that would lead from a router to itself stand for no link.

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/listed.hpp"
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
