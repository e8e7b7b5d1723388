// Which links have failed, and whether what is left joins all hosts.

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

struct NumberedLink {
  LinkId id;
  RouterLink ends;
};

/// The links from a router to one of a higher number, or to one of a lower number, in the order of their numbers.
std::vector<NumberedLink> links_leading(MachineTopology const& topology, bool up) {
  std::vector<NumberedLink> result;
  for (LinkId id = 0; id < link_ids(topology); ++id) {
    auto const found = link(topology, id);
    if (found && (found->from < found->to) == up) result.push_back({id, *found});
  }
  return result;
}

/// With the links that lead back.
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
    auto const found =
        std::lower_bound(back.begin(), back.end(), std::pair(Ends(each.ends.from, each.ends.to), LinkId{0}));
    expects(found != back.end() && found->first == Ends(each.ends.from, each.ends.to), "a link back");
    result.push_back(found->second);
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

}  // namespace

std::vector<LinkId> links_between(MachineTopology const& topology, std::vector<std::vector<int>> const& pairs) {
  std::vector<NumberedLink> const all = links_leading(topology, true);
  std::vector<NumberedLink> found;
  for (std::vector<int> const& pair : pairs) {
    auto const [low, high] = std::minmax(pair.at(0), pair.at(1));
    auto const joins = [&, low = low, high = high](NumberedLink const& each) {
      return each.ends.from == low && each.ends.to == high;
    };
    auto const one = std::find_if(all.begin(), all.end(), joins);
    if (one == all.end()) {
      throw InputError(fmt::format("expected pairs of routers, from 0 to {}, that a link joins, got [{}]",
                                   routers(topology) - 1, listed(pair, ", ")));
    }
    found.push_back(*one);
  }
  return with_returns(topology, found);
}

std::vector<LinkId> some_links(MachineTopology const& topology, double fraction, std::uint64_t seed) {
  std::vector<NumberedLink> all = links_leading(topology, true);
  auto const count = static_cast<std::size_t>(std::llround(fraction * static_cast<double>(all.size())));
  Random random(seed);
  for (std::size_t i = 0; i < count; ++i) std::swap(all[i], all[i + random.bits() % (all.size() - i)]);
  all.resize(count);
  return with_returns(topology, all);
}

void check_joined(MachineTopology const& topology, std::vector<LinkId> const& failed) {
  if (failed.empty()) return;
  RouterGraph const graph(topology, failed);
  std::vector<bool> reached(at(graph.routers()), false);
  std::vector<int> open{router_of(topology, 0)};
  reached[at(open.back())] = true;
  while (!open.empty()) {
    int const here = open.back();
    open.pop_back();
    for (RouterGraph::Edge const& edge : graph.leaving(here)) {
      if (reached[at(edge.to)]) continue;
      reached[at(edge.to)] = true;
      open.push_back(edge.to);
    }
  }
  Platform machine;
  machine.topology = topology;
  for (int host = 0; host < hosts(machine); ++host) {
    if (reached[at(router_of(topology, host))]) continue;
    throw InputError(
        fmt::format("expected failures that leave all hosts joined, got {} that cut off host {} from host 0",
                    failed.size() == 2 ? "one" : fmt::format("{}", failed.size() / 2), host));
  }
}

}  // namespace rondo
