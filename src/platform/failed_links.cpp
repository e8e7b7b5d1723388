// Links that have failed: how a scenario names them (as pairs of routers or as a fraction that is drawn), and the
// check that the links which are left still join all hosts.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/index.hpp"
#include "base/listed.hpp"
#include "base/random.hpp"
#include "platform/routing.hpp"

namespace rondo {

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
