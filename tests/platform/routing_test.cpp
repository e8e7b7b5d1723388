// Routes by other rules than the minimal one, and around links that have failed. What is shortest comes from a search
// of its own, which relaxes all links until nothing gets shorter.

#include "platform/routing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/error.hpp"
#include "base/random.hpp"

namespace rondo {
namespace {

Platform routed(MachineTopology topology, RoutingRule rule, std::vector<LinkId> failed = {}, std::uint64_t seed = 0) {
  Platform platform;
  platform.topology = std::move(topology);
  platform.latency = Seconds(1e-6);
  platform.hop_latency = Seconds(1e-7);
  platform.routing = {rule, seed, std::move(failed)};
  return platform;
}

std::vector<MachineTopology> const& machines_with_ways() {
  static std::vector<MachineTopology> const all{
      Dragonfly{.groups = 4, .chassis = 2, .routers = 3, .hosts_per_router = 2},
      Dragonfly{.groups = 5, .chassis = 1, .routers = 4, .hosts_per_router = 1}, FatTree{{4, 4}, {1, 4}, {1, 1}},
      FatTree{{2, 3, 2}, {1, 2, 3}, {1, 1, 1}}};
  return all;
}

std::vector<LinkId> route(Routes const& routes, int from, int to) {
  std::vector<LinkId> links;
  routes.append(from, to, links);
  return links;
}

/// Links between groups and links of all kinds, on a shortest way from one router to each.
std::vector<std::pair<int, int>> shortest(Platform const& platform, int from) {
  constexpr int far = 1'000'000;
  std::vector<std::pair<int, int>> best(static_cast<std::size_t>(routers(platform.topology)), {far, far});
  best[static_cast<std::size_t>(from)] = {0, 0};
  for (bool shorter = true; shorter;) {
    shorter = false;
    for (LinkId id = 0; id < link_ids(platform.topology); ++id) {
      auto const each = link(platform.topology, id);
      auto const& failed = platform.routing.failed;
      if (!each || std::find(failed.begin(), failed.end(), id) != failed.end()) continue;
      auto const [global, all] = best[static_cast<std::size_t>(each->from)];
      if (all == far) continue;
      std::pair const there{global + (between_groups(platform.topology, *each) ? 1 : 0), all + 1};
      auto& known = best[static_cast<std::size_t>(each->to)];
      shorter |= there < known;
      known = std::min(known, there);
    }
  }
  return best;
}

std::pair<int, int> length(Platform const& platform, std::vector<LinkId> const& links) {
  int global = 0;
  for (LinkId const id : links) global += between_groups(platform.topology, *link(platform.topology, id)) ? 1 : 0;
  return {global, static_cast<int>(links.size())};
}

/// A way over links that have not failed, which comes to no router twice.
void expect_way(Platform const& platform, int from, int to, std::vector<LinkId> const& links) {
  int here = router_of(platform.topology, from);
  std::set<int> passed{here};
  for (LinkId const id : links) {
    auto const next = link(platform.topology, id);
    ASSERT_TRUE(next && next->from == here) << from << " to " << to;
    ASSERT_FALSE(std::binary_search(platform.routing.failed.begin(), platform.routing.failed.end(), id));
    here = next->to;
    ASSERT_TRUE(passed.insert(here).second) << from << " to " << to << " comes to router " << here << " twice";
  }
  ASSERT_EQ(here, router_of(platform.topology, to)) << from << " to " << to;
}

template <typename Use>
void for_each_pair(Platform const& platform, Use const& use) {
  for (int from = 0; from < hosts(platform); ++from) {
    for (int to = 0; to < hosts(platform); ++to) {
      use(from, to);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

template <typename Call>
std::string refused(Call call) {
  try {
    call();
  } catch (InputError const& error) {
    return error.what();
  }
  return "";
}

TEST(Ecmp, takes_a_shortest_route_that_it_draws) {
  for (MachineTopology const& topology : machines_with_ways()) {
    Platform const platform = routed(topology, RoutingRule::ecmp);
    Routes const routes(platform), again(platform);
    for_each_pair(platform, [&](int from, int to) {
      auto const links = route(routes, from, to);
      expect_way(platform, from, to, links);
      auto const best = shortest(platform, router_of(topology, from));
      EXPECT_EQ(length(platform, links), best[static_cast<std::size_t>(router_of(topology, to))]);
      EXPECT_EQ(links, route(again, from, to));
    });
  }
}

/// 16 * 12 pairs of hosts under different switches have four upper switches each: none is to be left out, nor to have
/// more than twice its part.
TEST(Ecmp, spreads_pairs_over_all_upper_switches_by_its_seed) {
  FatTree const tree{{4, 4}, {1, 4}, {1, 1}};
  Platform const one = routed(tree, RoutingRule::ecmp, {}, 1), two = routed(tree, RoutingRule::ecmp, {}, 2);
  Routes const first(one), second(two);
  std::map<int, int> over;
  int differ = 0;
  for_each_pair(one, [&](int from, int to) {
    auto const links = route(first, from, to);
    if (links.empty()) return;
    ++over[link(tree, links.front())->to];
    differ += links != route(second, from, to) ? 1 : 0;
  });
  EXPECT_EQ(over.size(), 4U);
  for (auto const& [upper, pairs] : over) EXPECT_TRUE(pairs > 24 && pairs < 96) << upper << ": " << pairs;
  // Three in four pairs are to draw another one.
  EXPECT_GT(differ, 96);
}

TEST(Valiant, goes_over_a_drawn_host_and_comes_to_no_router_twice) {
  for (MachineTopology const& topology : machines_with_ways()) {
    Platform const platform = routed(topology, RoutingRule::valiant, {}, 5);
    Routes const routes(platform);
    Platform const direct = routed(topology, RoutingRule::minimal);
    Routes const minimal(direct);
    int longer = 0;
    for_each_pair(platform, [&](int from, int to) {
      auto const links = route(routes, from, to);
      expect_way(platform, from, to, links);
      longer += links.size() > route(minimal, from, to).size() ? 1 : 0;
      // Both parts are minimal, and loops only make them shorter.
      auto const n = static_cast<std::uint64_t>(hosts(platform));
      std::uint64_t const pair = (static_cast<std::uint64_t>(from) << 32) + static_cast<std::uint64_t>(to);
      auto const over = static_cast<int>(Random(Random(5).bits() ^ pair).bits() % n);
      auto both = route(minimal, from, over);
      auto const rest = route(minimal, over, to);
      both.insert(both.end(), rest.begin(), rest.end());
      std::set<int> routers_passed{router_of(topology, from)};
      for (LinkId const id : both) routers_passed.insert(link(topology, id)->to);
      if (routers_passed.size() == both.size() + 1) {
        EXPECT_EQ(links, both);
      } else {
        EXPECT_LT(links.size(), both.size());
      }
    });
    EXPECT_GT(longer, 0);
  }
}

TEST(FailedLinks, are_passed_by_on_shortest_ways_and_change_no_other_route) {
  std::vector<MachineTopology> topologies = machines_with_ways();
  topologies.insert(topologies.end(), {Ring{6}, TorusMachine{Torus({4, 3})}, MeshMachine{Torus({3, 3})}});
  for (MachineTopology const& topology : topologies) {
    std::uint64_t seed = 0;
    while (!refused([&] { check_joined(topology, some_links(topology, 0.12, seed)); }).empty()) ++seed;
    std::vector<LinkId> const failed = some_links(topology, 0.12, seed);
    ASSERT_FALSE(failed.empty());
    Platform const platform = routed(topology, RoutingRule::minimal, failed);
    Routes const routes(platform);
    int around = 0;
    for_each_pair(platform, [&](int from, int to) {
      auto const links = route(routes, from, to);
      expect_way(platform, from, to, links);
      EXPECT_EQ(routes.hops(from, to), static_cast<int>(links.size()));
      std::vector<LinkId> usual;
      append_route(topology, from, to, usual);
      bool const whole = std::none_of(usual.begin(), usual.end(), [&](LinkId id) {
        return std::find(failed.begin(), failed.end(), id) != failed.end();
      });
      if (whole) {
        EXPECT_EQ(links, usual);
        return;
      }
      ++around;
      EXPECT_EQ(length(platform, links),
                shortest(platform, router_of(topology, from))[static_cast<std::size_t>(router_of(topology, to))]);
    });
    EXPECT_GT(around, 0);
  }
}

/// On a ring of 6 without the link of 0 and 1, the way from 0 to 1 has five links.
TEST(FailedLinks, make_ways_longer_and_startups_too) {
  Ring const ring{6};
  Platform const platform = routed(ring, RoutingRule::minimal, links_between(ring, {{0, 1}}));
  Routes const routes(platform);
  EXPECT_EQ(routes.hops(0, 1), 5);
  EXPECT_EQ(routes.hops(1, 0), 5);
  EXPECT_EQ(routes.hops(5, 1), 4);
  EXPECT_EQ(routes.hops(2, 1), 1);
  EXPECT_DOUBLE_EQ(routes.startup(0, 1).value, 1e-6 + 4 * 1e-7);
  EXPECT_DOUBLE_EQ(startup(platform, 0, 1).value, 1e-6 + 4 * 1e-7);
  EXPECT_GT(hops(platform, 0, 1), 1);
}

/// Where two groups have lost their link, a message crosses two others.
TEST(FailedLinks, of_two_groups_are_passed_by_over_a_third) {
  Dragonfly const machine{.groups = 3, .chassis = 1, .routers = 3, .hosts_per_router = 1};
  // Router 1 of group 0 and router 0 of group 1: the link of groups i and j joins their routers j and i.
  Platform const platform = routed(machine, RoutingRule::minimal, links_between(machine, {{1, 3}}));
  Routes const routes(platform);
  for (int from = 0; from < 3; ++from) {
    for (int to = 3; to < 6; ++to) EXPECT_EQ(length(platform, route(routes, from, to)).first, 2);
  }
  EXPECT_EQ(length(platform, route(routes, 0, 6)).first, 1);
}

TEST(FailedLinks, are_a_fraction_of_all_in_both_directions) {
  TorusMachine const torus{Torus({4, 5})};
  // 40 links: each host has two upwards.
  std::vector<LinkId> const failed = some_links(torus, 0.2, 7);
  EXPECT_EQ(failed.size(), 16U);
  EXPECT_TRUE(std::is_sorted(failed.begin(), failed.end()));
  for (LinkId const id : failed) {
    RouterLink const there = *link(torus, id);
    EXPECT_TRUE(std::any_of(failed.begin(), failed.end(), [&](LinkId other) {
      return link(torus, other)->from == there.to && link(torus, other)->to == there.from;
    }));
  }
  EXPECT_NE(failed, some_links(torus, 0.2, 8));
  EXPECT_EQ(failed, some_links(torus, 0.2, 7));
  EXPECT_TRUE(some_links(torus, 0, 7).empty());
  EXPECT_EQ(some_links(torus, 1, 7).size(), 80U);
}

TEST(FailedLinks, are_refused_where_there_is_no_link_or_a_host_is_cut_off) {
  EXPECT_EQ(refused([] {
              links_between(Ring{5}, {{0, 2}});
            }),
            "expected pairs of routers, from 0 to 4, that a link joins, got [0, 2]");
  EXPECT_EQ(refused([] {
              check_joined(Ring{5}, links_between(Ring{5}, {{0, 1}, {2, 3}}));
            }),
            "expected failures that leave all hosts joined, got 2 that cut off host 1 from host 0");
  EXPECT_EQ(refused([] { check_joined(Ring{5}, links_between(Ring{5}, {{0, 1}})); }), "");
  // An upper switch without hosts may be cut off.
  FatTree const tree{{2, 2}, {1, 2}, {1, 1}};
  EXPECT_EQ(refused([&] { check_joined(tree, links_between(tree, {{0, 2}, {1, 2}})); }), "");
  EXPECT_EQ(refused([&] {
              check_joined(tree, links_between(tree, {{0, 2}, {0, 3}}));
            }),
            "expected failures that leave all hosts joined, got 2 that cut off host 2 from host 0");
}

/// With n messages on a minimal route of 3 links, the next one takes it while (n + 1) * 3 <= 1 * h, where h is the
/// length of the empty way over a drawn host that has no link of it.
TEST(Ugal, leaves_the_minimal_route_when_it_is_loaded) {
  Dragonfly const machine{.groups = 6, .chassis = 1, .routers = 6, .hosts_per_router = 1};
  Platform const platform = routed(machine, RoutingRule::ugal);
  Routes const routes(platform);
  std::set<std::size_t> lengths;
  for_each_pair(platform, [&](int from, int to) {
    std::vector<LinkId> minimal, other, both;
    routes.append(from, to, minimal);
    routes.append_over_drawn_host(from, to, other);
    both = minimal;
    both.insert(both.end(), other.begin(), other.end());
    bool const apart = std::set(both.begin(), both.end()).size() == both.size();
    if (minimal.size() != 3 || other.size() < 3 || !apart) return;
    RouteLoads loads(platform, routes);
    std::vector<std::vector<LinkId>> chosen;
    for (std::size_t n = 0; n < other.size() / 3; ++n) {
      chosen.push_back(loads.choose(from, to));
      EXPECT_EQ(chosen.back(), minimal) << n;
    }
    chosen.push_back(loads.choose(from, to));
    EXPECT_EQ(chosen.back(), other);
    // Once all have ended, the minimal route is the first choice again.
    for (auto const& each : chosen) loads.release(each);
    EXPECT_EQ(loads.choose(from, to), minimal);
    lengths.insert(other.size());
  });
  EXPECT_TRUE(lengths.contains(6));
}

}  // namespace
}  // namespace rondo
