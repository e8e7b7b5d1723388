#pragma once

// Routers, links and routes of all topologies that are not platform files: ring, torus, mesh, dragonfly, fat tree,
// HyperX, Dragonfly+, Slim Fly and graph. Every link is directed and has a number. Numbers and ends are computed from
// each other, so that no table is stored; only a graph lists its links. Each host hangs on one router (or switch) by
// its NIC, which is not one of these links. A fully connected machine has no links but NICs, and only SimGrid knows the
// links of a platform file.
//
// Routes are deterministic and minimal unless a routing rule says otherwise (routing.hpp):
// - ring, torus, mesh: one dimension after the other, in each the shorter way, upwards where both are equal. On a
//   closed extent of 2 the links upwards are the only ones. An extent of 1 has no links.
// - dragonfly: at most one link between groups. Within a group first within the chassis, then between chassis. The link
//   of groups i and j joins router j mod n of group i with router i mod n of group j, where n = chassis * routers and
//   routers of a group are numbered through. A route is shortest among those over one link between groups.
// - fat tree: up to the lowest common switch and down; of several links up the destination chooses, D mod k [Zahavi10]:
//   (host / product of `up` so far) mod `up`, as SimGrid does.
// - HyperX: one dimension after the other.
// - Dragonfly+: over spine D mod spines, of both groups.
// - Slim Fly: the link to the target's router, or else the first link, by number, to a router with such a link.
// - graph: none in closed form; routing.hpp draws them all.

#include <cstdint>
#include <optional>
#include <vector>

#include "platform/platform.hpp"

namespace rondo {

/// The number of a directed link. Not every number below link_ids() stands for a link.
using LinkId = std::int64_t;

/// The two routers that a link joins, in its direction.
struct RouterLink {
  int from = 0, to = 0;  ///< routers; the link leads from `from` to `to`
  int cables = 1;        ///< it has as many times the bandwidth of a link
  friend bool operator==(RouterLink const&, RouterLink const&) = default;
};

/// The number of routers; 0 on a fully connected machine and for a platform file.
int routers(MachineTopology const& topology);
/// The router that a host hangs on. There must be routers.
int router_of(MachineTopology const& topology, int host);
/// The numbers of links are below this; 0 if there are no routers.
LinkId link_ids(MachineTopology const& topology);
/// The ends of the link with this number; unset if there is none.
std::optional<RouterLink> link(MachineTopology const& topology, LinkId id);
/// Whether a link joins two groups of a dragonfly or a Dragonfly+; false on all other topologies.
bool between_groups(MachineTopology const& topology, RouterLink const& link);
/// Appends the links from one host to another, in order. Between hosts of one router, and where there are no routers, a
/// route has no links.
void append_route(MachineTopology const& topology, int from_host, int to_host, std::vector<LinkId>& links);
/// The length of that route, in closed form. Between different hosts it is 1 where there are no routers.
int hops(MachineTopology const& topology, int from_host, int to_host);

}  // namespace rondo
