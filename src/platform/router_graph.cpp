// Builds the graph of the links that have not failed, and finds shortest distances to a router by Dijkstra's
// algorithm. The functions of the topology `graph` are here too. There each host and each switch is a router with the
// number that it has in the graph. If the links are directed, link i of the list has the number i; otherwise it has
// the numbers 2 i and, for the way back, 2 i + 1.

#include "platform/router_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "base/ids.hpp"
#include "platform/regular.hpp"

namespace rondo {

namespace {

constexpr WayLength over_a_link = 1;
/// Larger than the number of links of any path, so that one link between groups outweighs all other links.
constexpr WayLength over_a_global_link = over_a_link + (WayLength{1} << 32);

}  // namespace

/// Sorts the links by the router that they leave. Only a directed graph also needs them by the router to which they
/// lead; on any other machine each link has one of the same length in the opposite direction.
RouterGraph::RouterGraph(MachineTopology const& topology, std::span<LinkId const> failed) {
  auto const* listed = std::get_if<GraphMachine>(&topology);
  has_returns_ = listed == nullptr || !listed->directed;
  std::vector<std::pair<int, Edge>> leaving, entering;
  for (LinkId id = 0; id < link_ids(topology); ++id) {
    auto const found = link(topology, id);
    if (!found || std::binary_search(failed.begin(), failed.end(), id)) continue;
    WayLength const length = between_groups(topology, *found) ? over_a_global_link : over_a_link;
    leaving.push_back({found->from, {id, found->to, length}});
    if (!has_returns_) entering.push_back({found->to, {id, found->from, length}});
  }
  auto const by_router = [&](std::vector<std::pair<int, Edge>> const& edges) {
    Edges result{std::vector<std::size_t>(at(rondo::routers(topology)) + 1, 0), std::vector<Edge>(edges.size())};
    for (auto const& [router, edge] : edges) ++result.first[at(router) + 1];
    for (std::size_t i = 1; i < result.first.size(); ++i) result.first[i] += result.first[i - 1];
    std::vector<std::size_t> next(result.first.begin(), result.first.end() - 1);
    for (auto const& [router, edge] : edges) result.edges[next[at(router)]++] = edge;
    return result;
  };
  leaving_ = by_router(leaving);
  entering_ = by_router(entering);
}

std::span<RouterGraph::Edge const> RouterGraph::Edges::of(int router) const {
  return std::span(edges).subspan(first[at(router)], first[at(router) + 1] - first[at(router)]);
}

Nearness::Nearness(RouterGraph const& graph, int target) : graph_(&graph), length_(at(graph.routers()), unreached) {
  length_[at(target)] = 0;
  open_.emplace(0, target);
}

/// Continues the search until the distance of this router is final. Entries of the queue that a shorter path has
/// replaced are skipped.
WayLength Nearness::from(int router) {
  while (!open_.empty() && open_.top().first < length_[at(router)]) {
    auto const [length, near] = open_.top();
    open_.pop();
    if (length > length_[at(near)]) continue;
    for (RouterGraph::Edge const& edge : graph_->entering(near)) {
      WayLength& best = length_[at(edge.to)];
      if (length + edge.length >= best) continue;
      best = length + edge.length;
      open_.emplace(best, edge.to);
    }
  }
  return so_far(router);
}

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
