// A graph of hosts and switches. Each of them is a router with the number that it has in the graph. If the links are
// directed, link i of the list has the number i; otherwise it has the numbers 2 i and, for the way back, 2 i + 1.

#include <fmt/format.h>

#include <set>

#include "base/error.hpp"
#include "base/index.hpp"
#include "platform/regular.hpp"
#include "platform/router_graph.hpp"

namespace rondo {

namespace {

/// By router, whether a walk over the links reaches it from router 0. With `against` the walk follows each link
/// backwards.
std::vector<bool> reached_from_0(GraphMachine const& machine, bool against) {
  std::vector<std::vector<int>> next(at(regular::routers(machine)));
  for (LinkId id = 0; id < regular::link_ids(machine); ++id) {
    RouterLink const ends = *regular::link(machine, id);
    next[at(against ? ends.to : ends.from)].push_back(against ? ends.from : ends.to);
  }
  std::vector<bool> reached(next.size(), false);
  std::vector<int> open{0};
  reached[0] = true;
  while (!open.empty()) {
    int const here = open.back();
    open.pop_back();
    for (int const neighbor : next[at(here)]) {
      if (reached[at(neighbor)]) continue;
      reached[at(neighbor)] = true;
      open.push_back(neighbor);
    }
  }
  return reached;
}

}  // namespace

/// Throws InputError if a link leads to no vertex, to itself, or occurs twice.
void check(GraphMachine const& machine) {
  int const vertices = machine.hosts + machine.switches;
  std::set<std::pair<int, int>> joined;
  for (std::size_t i = 0; i < machine.links.size(); ++i) {
    auto const& [a, b, width] = machine.links[i];
    auto const refuse = [&, a = a, b = b, width = width](std::string const& expected) {
      throw InputError(fmt::format("expected {}, got [{}, {}, {}] as link {}", expected, a, b, width, i));
    };
    if (a < 0 || b < 0 || a >= vertices || b >= vertices) refuse(fmt::format("vertices from 0 to {}", vertices - 1));
    if (a == b) refuse("links between two different vertices");
    if (width < 1) refuse("a width of at least 1");
    bool const is_new = joined.emplace(a, b).second && (machine.directed || joined.emplace(b, a).second);
    if (!is_new) refuse("one link, of any width, from a vertex to another");
  }
  auto const away = reached_from_0(machine, false), back = reached_from_0(machine, true);
  for (int host = 0; host < machine.hosts; ++host) {
    if (away[at(host)] && back[at(host)]) continue;
    throw InputError(fmt::format("expected links that join all hosts, got no way from host {} to host {}",
                                 away[at(host)] ? host : 0, away[at(host)] ? 0 : host));
  }
}

}  // namespace rondo

namespace rondo::regular {

int hosts(GraphMachine const& machine) { return machine.hosts; }

int routers(GraphMachine const& machine) { return machine.hosts + machine.switches; }

int router_of(GraphMachine const& /*machine*/, int host) { return host; }

LinkId link_ids(GraphMachine const& machine) { return std::ssize(machine.links) * (machine.directed ? 1 : 2); }

std::optional<RouterLink> link(GraphMachine const& machine, LinkId id) {
  auto const& [a, b, width] = machine.links[rondo::at(machine.directed ? id : id / 2)];
  return !machine.directed && id % 2 == 1 ? RouterLink{b, a, width} : RouterLink{a, b, width};
}

/// A graph has no route in closed form: all its routes are drawn (platform/routing.hpp).
void append_route(GraphMachine const& /*machine*/, int /*from*/, int /*to*/, std::vector<LinkId>& /*links*/) {
  throw ContractViolation("a route in closed form, which a graph has none of");
}

int hops(GraphMachine const& /*machine*/, int /*from*/, int /*to*/) {
  throw ContractViolation("a route in closed form, which a graph has none of");
}

std::string title(GraphMachine const& machine) {
  return fmt::format("A graph of {} hosts and {} switches with {} {}links", machine.hosts, machine.switches,
                     machine.links.size(), machine.directed ? "directed " : "");
}

}  // namespace rondo::regular
