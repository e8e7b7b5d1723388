// Dispatches to the functions of each topology (regular.hpp).

#include "platform/routes.hpp"

#include <algorithm>
#include <cstdlib>

#include "base/error.hpp"
#include "platform/regular.hpp"

namespace rondo {

namespace {

/// Leads each kind of topology to a call of `use`; kinds without routers yield `none`.
template <typename Result, typename Use>
struct RegularCases {
  Result none;
  Use& use;
  Result operator()(FullyConnected const&) const { return none; }
  Result operator()(PlatformFile const&) const { return none; }
  Result operator()(Ring const& ring) const { return use(regular::Grid{Torus({ring.hosts}), true}); }
  Result operator()(TorusMachine const& machine) const { return use(regular::Grid{machine.torus, true}); }
  Result operator()(MeshMachine const& machine) const { return use(regular::Grid{machine.grid, false}); }
  Result operator()(auto const& machine) const { return use(machine); }
};

/// Calls `use` with the topology as its own type and returns the result; returns `none` for a topology without routers.
template <typename Result, typename Use>
Result visit_regular(MachineTopology const& topology, Result none, Use use) {
  return std::visit(RegularCases<Result, Use>{none, use}, topology);
}

}  // namespace

int routers(MachineTopology const& topology) {
  return visit_regular(topology, 0, [](auto const& machine) { return regular::routers(machine); });
}

int router_of(MachineTopology const& topology, int host) {
  int const router =
      visit_regular(topology, -1, [&](auto const& machine) { return regular::router_of(machine, host); });
  expects(router >= 0, "a topology with routers");
  return router;
}

LinkId link_ids(MachineTopology const& topology) {
  return visit_regular(topology, LinkId{0}, [](auto const& machine) { return regular::link_ids(machine); });
}

std::optional<RouterLink> link(MachineTopology const& topology, LinkId id) {
  return visit_regular(topology, std::optional<RouterLink>(),
                       [&](auto const& machine) { return regular::link(machine, id); });
}

void append_route(MachineTopology const& topology, int from_host, int to_host, std::vector<LinkId>& links) {
  visit_regular(topology, 0, [&](auto const& machine) {
    regular::append_route(machine, from_host, to_host, links);
    return 0;
  });
}

/// Rings and tori have shorter formulas than those of their grids.
int hops(MachineTopology const& topology, int from, int to) {
  if (from == to) return 0;
  if (auto const* ring = std::get_if<Ring>(&topology)) {
    return std::min(std::abs(from - to), ring->hosts - std::abs(from - to));
  }
  if (auto const* machine = std::get_if<TorusMachine>(&topology)) return machine->torus.distance(Rank(from), Rank(to));
  return visit_regular(topology, 1, [&](auto const& machine) { return regular::hops(machine, from, to); });
}

bool between_groups(MachineTopology const& topology, RouterLink const& link) {
  int per_group = 0;
  if (auto const* machine = std::get_if<Dragonfly>(&topology)) per_group = machine->chassis * machine->routers;
  if (auto const* machine = std::get_if<DragonflyPlus>(&topology)) per_group = machine->leaves + machine->spines;
  return per_group > 0 && link.from / per_group != link.to / per_group;
}

}  // namespace rondo
