// Finds routes by the rules of routing.hpp. The search for the distances to a router starts when the first route to
// it is needed. Searches are kept within a limit of memory. A scenario names failed links as pairs of routers or as a
// fraction that is drawn. The links that are left must still join all hosts.

#include "platform/routing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/ids.hpp"
#include "base/random.hpp"
#include "base/text.hpp"

namespace rondo {

namespace {

/// The most distances that all kept searches may hold together. Each search holds one for each router.
constexpr std::size_t most_distances = std::size_t{1} << 24;

/// The draws of one pair of hosts, as routing.hpp defines them.
Random draws_of(std::uint64_t seed, int from, int to) {
  auto const pair = static_cast<std::uint64_t>(from) << 32 | static_cast<std::uint32_t>(to);
  return Random(mixed(seed) ^ pair);
}

/// Removes the loops of the route that begins at links[first]. If the route visits a router twice, the links between
/// the two visits go.
void cut_loops(MachineTopology const& topology, std::vector<LinkId>& links, std::size_t first) {
  std::vector<int> passed;  // the routers on the part of the route that is kept so far, in order
  std::size_t kept = first;
  for (std::size_t i = first; i < links.size(); ++i) {
    RouterLink const ends = *link(topology, links[i]);
    if (i == first) passed.push_back(ends.from);
    links[kept++] = links[i];
    passed.push_back(ends.to);
    auto const before = std::find(passed.begin(), passed.end() - 1, ends.to);
    kept -= static_cast<std::size_t>(passed.end() - 1 - before);
    passed.erase(before + 1, passed.end());
  }
  links.resize(kept);
}

}  // namespace

/// Whether routes need no search.
bool Routes::is_closed_form() const {
  RoutingRule const rule = platform_.routing.rule;
  bool const minimal = rule == RoutingRule::minimal || rule == RoutingRule::ugal;
  bool const has_routes = !std::holds_alternative<GraphMachine>(platform_.topology);
  return (minimal && has_routes && platform_.routing.failed.empty()) || routers(platform_.topology) == 0;
}

/// Appends the route by the platform's rule; for `ugal` the minimal one.
void Routes::append(int from, int to, std::vector<LinkId>& links) const {
  if (is_closed_form()) return append_route(platform_.topology, from, to, links);
  switch (platform_.routing.rule) {
    case RoutingRule::minimal:
    case RoutingRule::ugal:
      return append_minimal(from, to, links);
    case RoutingRule::valiant:
      return append_over_drawn_host(from, to, links);
    case RoutingRule::ecmp:
      return append_drawn_shortest(from, to, links);
  }
  throw ContractViolation("a routing rule");
}

/// Appends the minimal routes to a drawn host and from there to the target, and removes loops [Valiant82].
void Routes::append_over_drawn_host(int from, int to, std::vector<LinkId>& links) const {
  std::size_t const first = links.size();
  auto const all = static_cast<std::uint64_t>(hosts(platform_));
  int const over = static_cast<int>(draws_of(platform_.routing.seed, from, to).bits() % all);
  append_minimal(from, over, links);
  append_minimal(over, to, links);
  cut_loops(platform_.topology, links, first);
}

/// The route in closed form if none of its links has failed, else a drawn shortest one.
void Routes::append_minimal(int from, int to, std::vector<LinkId>& links) const {
  if (std::holds_alternative<GraphMachine>(platform_.topology)) return append_drawn_shortest(from, to, links);
  std::size_t const first = links.size();
  append_route(platform_.topology, from, to, links);
  std::vector<LinkId> const& failed = platform_.routing.failed;
  bool const whole = std::none_of(links.begin() + static_cast<std::ptrdiff_t>(first), links.end(),
                                  [&](LinkId id) { return std::binary_search(failed.begin(), failed.end(), id); });
  if (whole) return;
  links.resize(first);
  append_drawn_shortest(from, to, links);
}

/// Draws one of the links that lead nearer at each router. A router with only one such link takes no draw.
void Routes::append_drawn_shortest(int from, int to, std::vector<LinkId>& links) const {
  int const target = router_of(platform_.topology, to);
  Nearness& nearness = nearness_to(target);
  Random draws = draws_of(platform_.routing.seed, from, to);
  int here = router_of(platform_.topology, from);
  WayLength left = nearness.from(here);
  expects(left != unreached, "hosts that are joined");
  std::vector<RouterGraph::Edge const*> nearer;
  while (here != target) {
    nearer.clear();
    for (RouterGraph::Edge const& edge : graph_->leaving(here)) {
      if (nearness.so_far(edge.to) < left && nearness.so_far(edge.to) + edge.length == left) nearer.push_back(&edge);
    }
    RouterGraph::Edge const& next = *nearer[nearer.size() == 1 ? 0 : draws.bits() % nearer.size()];
    links.push_back(next.link);
    left -= next.length;
    here = next.to;
  }
}

/// Returns the search for this target, and starts it if there is none. Drops all other searches if they are too many.
Nearness& Routes::nearness_to(int router) const {
  if (!graph_) graph_.emplace(platform_.topology, platform_.routing.failed);
  auto const found = nearness_.find(router);
  if (found != nearness_.end()) return found->second;
  if ((nearness_.size() + 1) * at(graph_->routers()) > most_distances) nearness_.clear();
  return nearness_.emplace(router, Nearness(*graph_, router)).first->second;
}

int Routes::hops(int from, int to) const {
  if (is_closed_form()) return rondo::hops(platform_.topology, from, to);
  if (from == to) return 0;
  std::vector<LinkId> links;
  append(from, to, links);
  return static_cast<int>(links.size());
}

RouteCost Routes::route_cost(int from, int to, std::size_t piece) const {
  if (has_file_numbers(platform_)) return std::get<PlatformFile>(platform_.topology).route_costs->between(from, to);
  if (from == to) return cost_within();
  return cost_over(static_cast<std::size_t>(hops(from, to)), piece);
}

/// The cost of a message within a host.
RouteCost Routes::cost_within() const {
  RouteCost cost{platform_.intra_latency.value_or(platform_.latency),
                 platform_.intra_bandwidth.value_or(platform_.bandwidth)};
  bool const in_memory = platform_.island && platform_.island->kind == IslandKind::memory;
  if (in_memory) cost.bandwidth = std::min(cost.bandwidth, platform_.island->bandwidth);
  return cost;
}

RouteCost Routes::cost_over(std::size_t links, std::size_t piece) const {
  Seconds const more = static_cast<double>(links > 1 ? links - 1 : 0) * platform_.hop_latency;
  if (piece >= platform_.pieces.size()) return {platform_.latency + more, platform_.bandwidth};
  return {platform_.pieces[piece].latency + more, platform_.pieces[piece].bandwidth};
}

/// With rails every NIC has a copy of the network.
RouteLoads::RouteLoads(Platform const& platform, Routes const& routes)
    : routes_(routes), cables_(at(link_ids(platform.topology)), 1) {
  under_way_.resize(cables_.size() * at(platform.rails ? platform.nics : 1), 0);
  for (std::size_t id = 0; id < cables_.size(); ++id) {
    if (auto const found = link(platform.topology, static_cast<LinkId>(id))) cables_[id] = found->cables;
  }
}

/// Chooses the minimal route unless its load is the larger one, and counts the message on the chosen route.
std::vector<LinkId> RouteLoads::choose(int from, int to, Networks networks) {
  std::vector<LinkId> minimal, other;
  routes_.append(from, to, minimal);
  routes_.append_over_drawn_host(from, to, other);
  std::vector<LinkId>& chosen = load(minimal, networks) > load(other, networks) ? other : minimal;
  add(chosen, networks, 1);
  return std::move(chosen);
}

void RouteLoads::release(std::vector<LinkId> const& route, Networks networks) { add(route, networks, -1); }

void RouteLoads::add(std::vector<LinkId> const& route, Networks networks, int messages) {
  for (int i = 0; i < networks.count; ++i) {
    for (LinkId const id : route) under_way_[place(id, networks.first + i)] += messages;
  }
}

/// The load of a route as routing.hpp defines it.
double RouteLoads::load(std::vector<LinkId> const& route, Networks networks) const {
  double most = 0;
  for (int i = 0; i < networks.count; ++i) {
    for (LinkId const id : route) {
      most = std::max(most, (under_way_[place(id, networks.first + i)] + 1.0) / cables_[at(id)]);
    }
  }
  return most * static_cast<double>(route.size());
}

namespace {

/// A link and its number.
struct NumberedLink {
  LinkId id;
  RouterLink ends;
};

bool is_directed(MachineTopology const& topology) {
  auto const* listed = std::get_if<GraphMachine>(&topology);
  return listed != nullptr && listed->directed;
}

/// The links that lead from a router to one of a higher number (`up`), or to one of a lower number, in the order of
/// their numbers. If the links of the topology are directed, each of them counts as leading up.
std::vector<NumberedLink> links_leading(MachineTopology const& topology, bool up) {
  std::vector<NumberedLink> result;
  for (LinkId id = 0; id < link_ids(topology); ++id) {
    auto const found = link(topology, id);
    if (found && (is_directed(topology) || found->from < found->to) == up) result.push_back({id, *found});
  }
  return result;
}

/// These links and those that lead back between the same routers. If the links of the topology are directed, no link is
/// added.
std::vector<LinkId> with_returns(MachineTopology const& topology, std::vector<NumberedLink> const& links) {
  using Ends = std::pair<int, int>;
  std::vector<std::pair<Ends, LinkId>> back;
  for (NumberedLink const& each : links_leading(topology, false)) {
    back.push_back({{each.ends.to, each.ends.from}, each.id});
  }
  std::sort(back.begin(), back.end());
  std::vector<LinkId> result;
  for (NumberedLink const& each : links) {
    result.push_back(each.id);
    if (is_directed(topology)) continue;
    auto const found =
        std::lower_bound(back.begin(), back.end(), std::pair(Ends(each.ends.from, each.ends.to), LinkId{0}));
    expects(found != back.end() && found->first == Ends(each.ends.from, each.ends.to), "a link back");
    result.push_back(found->second);
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

/// By router, whether a walk from `from` reaches it. `links` chooses the direction of the walk: along the links, or
/// against them.
std::vector<bool> reached(RouterGraph const& graph, int from,
                          std::span<RouterGraph::Edge const> (RouterGraph::*links)(int) const) {
  std::vector<bool> result(at(graph.routers()), false);
  std::vector<int> open{from};
  result[at(from)] = true;
  while (!open.empty()) {
    int const here = open.back();
    open.pop_back();
    for (RouterGraph::Edge const& edge : (graph.*links)(here)) {
      if (result[at(edge.to)]) continue;
      result[at(edge.to)] = true;
      open.push_back(edge.to);
    }
  }
  return result;
}

}  // namespace

/// Throws InputError if a pair has no link or occurs twice. If links have two directions, both fail.
std::vector<LinkId> links_between(MachineTopology const& topology, std::vector<std::vector<int>> const& pairs) {
  std::vector<NumberedLink> const all = links_leading(topology, true);
  std::vector<NumberedLink> found;
  for (std::vector<int> const& pair : pairs) {
    std::pair<int, int> ends(pair.at(0), pair.at(1));
    if (!is_directed(topology) && ends.first > ends.second) std::swap(ends.first, ends.second);
    auto const joins = [&](NumberedLink const& each) { return std::pair(each.ends.from, each.ends.to) == ends; };
    auto const one = std::find_if(all.begin(), all.end(), joins);
    if (one == all.end()) {
      throw InputError(fmt::format("expected pairs of routers, from 0 to {}, that a link joins, got [{}]",
                                   routers(topology) - 1, listed(pair, ", ")));
    }
    found.push_back(*one);
  }
  return with_returns(topology, found);
}

/// Draws links without repetition: the first steps of a Fisher-Yates shuffle.
std::vector<LinkId> some_links(MachineTopology const& topology, double fraction, std::uint64_t seed) {
  std::vector<NumberedLink> all = links_leading(topology, true);
  auto const count = static_cast<std::size_t>(std::llround(fraction * static_cast<double>(all.size())));
  Random random(seed);
  for (std::size_t i = 0; i < count; ++i) std::swap(all[i], all[i + random.bits() % (all.size() - i)]);
  all.resize(count);
  return with_returns(topology, all);
}

/// Searches from one host along links and against them; every host must be found both times.
void check_joined(MachineTopology const& topology, std::vector<LinkId> const& failed) {
  if (failed.empty()) return;
  RouterGraph const graph(topology, failed);
  auto const away = reached(graph, router_of(topology, 0), &RouterGraph::leaving);
  auto const back = reached(graph, router_of(topology, 0), &RouterGraph::entering);
  std::size_t const count = is_directed(topology) ? failed.size() : failed.size() / 2;
  Platform machine;
  machine.topology = topology;
  for (int host = 0; host < hosts(machine); ++host) {
    if (away[at(router_of(topology, host))] && back[at(router_of(topology, host))]) continue;
    throw InputError(
        fmt::format("expected failures that leave all hosts joined, got {} that cut off host {} from host 0",
                    count == 1 ? "one" : fmt::format("{}", count), host));
  }
}

}  // namespace rondo
