// Routes against a breadth-first search that knows only the links; and the links against what each topology is.

#include "platform/routes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <queue>
#include <set>

#include "base/error.hpp"
#include "platform/routing.hpp"

namespace rondo {
namespace {

Platform platform_with(MachineTopology topology) {
  Platform platform;
  platform.topology = std::move(topology);
  return platform;
}

Dragonfly dragonfly(int groups, int chassis, int routers, int hosts_per_router) {
  return {groups, chassis, routers, hosts_per_router, {1, 1, 1}};
}

FatTree fat_tree(std::vector<int> down, std::vector<int> up) {
  std::vector<int> const parallel(down.size(), 1);
  return {std::move(down), std::move(up), parallel};
}

/// The links that leave each router; nothing but link() is asked.
std::vector<std::vector<RouterLink>> graph(MachineTopology const& topology) {
  std::vector<std::vector<RouterLink>> leaving(static_cast<std::size_t>(routers(topology)));
  for (LinkId id = 0; id < link_ids(topology); ++id) {
    if (auto const found = link(topology, id)) leaving[static_cast<std::size_t>(found->from)].push_back(*found);
  }
  return leaving;
}

/// The fewest links from one router to each router on a way with at most `most` links of a class; -1 if there is no
/// such way.
template <typename InClass>
std::vector<int> distances(std::vector<std::vector<RouterLink>> const& leaving, int from, int most, InClass in_class) {
  std::vector<std::vector<int>> best(leaving.size(), std::vector<int>(static_cast<std::size_t>(most) + 1, -1));
  std::queue<std::pair<int, int>> reached;
  best[static_cast<std::size_t>(from)][0] = 0;
  reached.emplace(from, 0);
  while (!reached.empty()) {
    auto const [at, used] = reached.front();
    reached.pop();
    for (RouterLink const& next : leaving[static_cast<std::size_t>(at)]) {
      int const uses = used + (in_class(next) ? 1 : 0);
      if (uses > most) continue;
      int& there = best[static_cast<std::size_t>(next.to)][static_cast<std::size_t>(uses)];
      if (there >= 0) continue;
      there = best[static_cast<std::size_t>(at)][static_cast<std::size_t>(used)] + 1;
      reached.emplace(next.to, uses);
    }
  }
  std::vector<int> result;
  for (auto const& ways : best) {
    int fewest = -1;
    for (int const way : ways) {
      if (way >= 0 && (fewest < 0 || way < fewest)) fewest = way;
    }
    result.push_back(fewest);
  }
  return result;
}

/// Whether the route is a way of existing links from the first host's router to the other's.
bool leads(MachineTopology const& topology, int from_host, int to_host, std::vector<LinkId> const& route) {
  int at = router_of(topology, from_host);
  for (LinkId const id : route) {
    auto const next = link(topology, id);
    if (!next || next->from != at) return false;
    at = next->to;
  }
  return at == router_of(topology, to_host);
}

template <typename InClass>
void expect_minimal(MachineTopology const& topology, std::string const& name, int most, InClass in_class) {
  Platform const platform = platform_with(topology);
  auto const leaving = graph(topology);
  for (int from = 0; from < hosts(platform); ++from) {
    auto const fewest = distances(leaving, router_of(topology, from), most, in_class);
    for (int to = 0; to < hosts(platform); ++to) {
      std::vector<LinkId> route;
      append_route(topology, from, to, route);
      ASSERT_TRUE(leads(topology, from, to, route)) << name << ": " << from << " to " << to;
      ASSERT_EQ(static_cast<int>(route.size()), fewest[static_cast<std::size_t>(router_of(topology, to))])
          << name << ": " << from << " to " << to;
      ASSERT_EQ(hops(platform, from, to), static_cast<int>(route.size())) << name << ": " << from << " to " << to;
    }
  }
}

void expect_minimal(MachineTopology const& topology, std::string const& name) {
  expect_minimal(topology, name, 0, [](RouterLink const&) { return false; });
}

std::vector<std::vector<int>> const extents = {
    {1}, {2}, {3}, {4}, {7}, {2, 2}, {3, 2}, {4, 5}, {1, 5, 1}, {3, 3, 3}, {2, 1, 6}, {4, 3, 2, 2}, {2, 2, 2, 2, 2}};

TEST(Routes, of_rings_tori_and_meshes_are_shortest) {
  for (int hosts = 1; hosts <= 9; ++hosts) expect_minimal(Ring{hosts}, "ring");
  for (auto const& list : extents) {
    expect_minimal(TorusMachine{Torus(list)}, "torus " + testing::PrintToString(list));
    expect_minimal(MeshMachine{Torus(list)}, "mesh " + testing::PrintToString(list));
  }
}

TEST(Routes, of_fat_trees_are_shortest) {
  for (auto const& [down, up] :
       std::vector<std::pair<std::vector<int>, std::vector<int>>>{{{5}, {1}},
                                                                  {{2, 3}, {1, 1}},
                                                                  {{4, 4}, {1, 2}},
                                                                  {{3, 5}, {1, 3}},
                                                                  {{2, 3, 2}, {1, 2, 3}},
                                                                  {{2, 2, 2, 2}, {1, 2, 2, 2}}}) {
    expect_minimal(fat_tree(down, up), "fat tree " + testing::PrintToString(down));
  }
}

// Minimal routing crosses one link between groups even where two of them and fewer others would do.
TEST(Routes, of_dragonflies_are_shortest_over_one_link_between_groups) {
  for (auto const& machine :
       {dragonfly(1, 1, 1, 3), dragonfly(1, 3, 4, 2), dragonfly(3, 3, 4, 2), dragonfly(4, 1, 4, 1),
        dragonfly(5, 2, 2, 1), dragonfly(7, 1, 2, 1), dragonfly(9, 2, 4, 1)}) {
    int const group = machine.chassis * machine.routers;
    auto const between = [group](RouterLink const& link) { return link.from / group != link.to / group; };
    expect_minimal(machine, "dragonfly " + std::to_string(machine.groups), 1, between);
  }
}

TEST(Routes, of_hyperx_are_shortest) {
  for (auto const& dims : std::vector<std::vector<int>>{{1}, {5}, {2, 3}, {4, 4}, {3, 1, 2}, {2, 2, 2, 2}}) {
    expect_minimal(HyperX{dims, 2, std::vector<int>(dims.size(), 1)}, "HyperX " + testing::PrintToString(dims));
  }
}

// Two links within a group, three between groups: one of them is the only one between groups.
TEST(Routes, of_dragonfly_plus_are_shortest_over_one_link_between_groups) {
  for (auto const& machine : {DragonflyPlus{1, 3, 2, 2}, DragonflyPlus{2, 2, 2, 2}, DragonflyPlus{3, 4, 4, 1},
                              DragonflyPlus{5, 2, 3, 2}, DragonflyPlus{4, 1, 1, 3}}) {
    int const group = machine.leaves + machine.spines;
    auto const between = [group](RouterLink const& link) { return link.from / group != link.to / group; };
    expect_minimal(machine, "Dragonfly+ " + std::to_string(machine.groups), 1, between);
  }
}

// [Besta14]: 2 q^2 routers of degree (3 q - d) / 2 with q = 4 w + d, and no two more than two links apart.
TEST(Routes, of_slim_flies_have_two_links_at_most) {
  for (auto const& [q, degree] : std::vector<std::pair<int, int>>{{3, 5}, {4, 6}, {5, 7}, {7, 11}, {8, 12}, {9, 13}}) {
    SlimFly const machine = slim_fly(q, 1);
    auto const leaving = graph(machine);
    ASSERT_EQ(std::ssize(leaving), 2 * q * q);
    for (std::size_t router = 0; router < leaving.size(); ++router) {
      std::set<int> there;
      for (RouterLink const& each : leaving[router]) {
        there.insert(each.to);
        auto const& back = leaving[static_cast<std::size_t>(each.to)];
        ASSERT_TRUE(std::ranges::any_of(back, [&](RouterLink const& link) { return link.to == each.from; })) << q;
      }
      ASSERT_EQ(std::ssize(there), degree) << q;
      ASSERT_EQ(std::ssize(leaving[router]), degree) << q;
      ASSERT_FALSE(there.contains(static_cast<int>(router))) << q;
    }
    expect_minimal(machine, "Slim Fly " + std::to_string(q));
    for (int to = 1; to < 2 * q * q; ++to) ASSERT_LE(hops(platform_with(machine), 0, to), 2) << q;
  }
}

// All routes of a graph are drawn shortest ones, with directed links too.
TEST(Routes, of_graphs_are_shortest) {
  for (bool const directed : {false, true}) {
    GraphMachine machine{
        5, 3, {{0, 5, 2}, {1, 5, 1}, {2, 6, 1}, {3, 6, 4}, {4, 7, 1}, {5, 6, 1}, {6, 7, 3}, {7, 5, 1}}, directed};
    if (directed) {
      for (GraphMachine::Link const& each : std::vector(machine.links)) {
        if (each.from < 5) machine.links.push_back({each.to, each.from, each.width});
      }
    }
    check(machine);
    Platform const platform = platform_with(machine);
    for (int from = 0; from < 5; ++from) {
      auto const fewest = distances(graph(machine), from, 0, [](RouterLink const&) { return false; });
      for (int to = 0; to < 5; ++to) {
        std::vector<LinkId> route;
        Routes(platform).append(from, to, route);
        ASSERT_TRUE(leads(machine, from, to, route)) << from << " to " << to;
        ASSERT_EQ(std::ssize(route), fewest[static_cast<std::size_t>(to)]) << from << " to " << to;
      }
    }
  }
}

TEST(Routes, go_upwards_where_both_ways_are_equally_long) {
  Ring const ring{4};
  std::vector<LinkId> route;
  append_route(ring, 3, 1, route);
  std::vector<int> passed;
  for (LinkId const id : route) passed.push_back(link(ring, id)->to);
  EXPECT_EQ(passed, (std::vector<int>{0, 1}));
}

TEST(Routes, spread_the_destinations_of_a_fat_tree_over_its_upper_switches) {
  FatTree const machine = fat_tree({4, 4}, {1, 4});
  for (int from = 0; from < 4; ++from) {
    std::set<LinkId> first_links;
    for (int to = 4; to < 8; ++to) {
      std::vector<LinkId> route;
      append_route(machine, from, to, route);
      first_links.insert(route.front());
    }
    EXPECT_EQ(first_links.size(), 4u) << from;
  }
}

/// How often each pair of routers is joined, from lower to higher number; every link must have its return.
std::multiset<std::pair<int, int>> joined(MachineTopology const& topology) {
  std::multiset<std::pair<int, int>> there, back;
  for (auto const& leaving : graph(topology)) {
    for (RouterLink const& link : leaving) {
      (link.from < link.to ? there : back).emplace(std::minmax(link.from, link.to));
    }
  }
  EXPECT_EQ(there, back);
  return there;
}

TEST(Links, join_each_pair_of_neighbors_once) {
  for (auto const& list : extents) {
    Torus const torus(list);
    std::multiset<std::pair<int, int>> closed, open;
    for (int a = 0; a < torus.size(); ++a) {
      for (int b = a + 1; b < torus.size(); ++b) {
        if (torus.distance(Rank(a), Rank(b)) == 1) closed.emplace(a, b);
        auto const x = torus.coordinates(Rank(a)), y = torus.coordinates(Rank(b));
        int apart = 0;
        for (std::size_t j = 0; j < x.size(); ++j) apart += std::abs(x[j] - y[j]);
        if (apart == 1) open.emplace(a, b);
      }
    }
    EXPECT_EQ(joined(TorusMachine{torus}), closed) << testing::PrintToString(list);
    EXPECT_EQ(joined(MeshMachine{torus}), open) << testing::PrintToString(list);
  }
}

TEST(Links, of_a_dragonfly_join_chassis_groups_and_each_pair_of_groups_once) {
  Dragonfly const machine = dragonfly(4, 3, 5, 2);
  auto const pairs = joined(machine);
  // 12 chassis of 5 routers, 4*5 columns of 3 chassis, 6 pairs of groups
  EXPECT_EQ(pairs.size(), 12u * 10 + 20u * 3 + 6);
  EXPECT_EQ(std::set(pairs.begin(), pairs.end()).size(), pairs.size());
  EXPECT_EQ(std::count_if(pairs.begin(), pairs.end(), [](auto pair) { return pair.first / 15 != pair.second / 15; }),
            6);
}

TEST(Links, of_a_fat_tree_are_as_many_as_its_ports) {
  FatTree const machine = fat_tree({2, 3, 2}, {1, 2, 3});
  // 6 switches of level 1, 2 * 2 of level 2, 1 * 2 * 3 of level 3
  EXPECT_EQ(routers(machine), 6 + 4 + 6);
  auto const leaving = graph(machine);
  for (int s = 0; s < 16; ++s) {
    int const level = s < 6 ? 1 : s < 10 ? 2 : 3;
    int const links[] = {2, 3 + 3, 2};  // up alone at level 1, down alone at level 3
    EXPECT_EQ(static_cast<int>(leaving[static_cast<std::size_t>(s)].size()), links[level - 1]) << s;
  }
  joined(machine);
}

TEST(Links, have_the_cables_of_their_kind) {
  Dragonfly machine = dragonfly(2, 2, 3, 1);
  machine.cables = {7, 5, 3};
  for (auto const& leaving : graph(machine)) {
    for (RouterLink const& link : leaving) {
      int const cables = link.from / 6 != link.to / 6 ? 7 : link.from / 3 != link.to / 3 ? 5 : 3;
      EXPECT_EQ(link.cables, cables);
    }
  }
  FatTree tree = fat_tree({2, 2}, {1, 2});
  tree.parallel = {1, 4};
  for (auto const& leaving : graph(tree)) {
    for (RouterLink const& link : leaving) EXPECT_EQ(link.cables, 4);
  }
}

TEST(Links, are_none_on_a_fully_connected_machine) {
  EXPECT_EQ(routers(FullyConnected{9}), 0);
  EXPECT_EQ(link_ids(FullyConnected{9}), 0);
  EXPECT_EQ(link(FullyConnected{9}, 0), std::nullopt);
}

template <typename Machine>
std::string refusal(Machine const& machine) {
  try {
    check(machine);
  } catch (InputError const& error) {
    return error.what();
  }
  return "";
}

TEST(Check, refuses_what_cannot_be_built) {
  EXPECT_EQ(refusal(dragonfly(0, 1, 1, 1)), "expected at least 1 of everything in a dragonfly, got 0");
  EXPECT_EQ(refusal(dragonfly(4096, 4096, 2, 1)), "expected at most 16777216 hosts in a dragonfly");
  EXPECT_EQ(refusal(Dragonfly{.cables = {1, 0, 1}}), "expected at least 1 cable in a link, got 0");
  EXPECT_EQ(refusal(fat_tree({2, 2}, {1})),
            "expected as many numbers down, up and parallel as a fat tree has levels, got 2, 1, 2");
  EXPECT_EQ(refusal(fat_tree({2, 2}, {2, 2})),
            "expected 1 as the first number of \"up\" of a fat tree, as a host has one NIC, got 2");
  EXPECT_EQ(refusal(fat_tree({2, 2}, {1, -2})), "expected at least 1 of everything in a fat tree, got -2");
  EXPECT_EQ(refusal(fat_tree({4096, 8192}, {1, 1})),
            "expected at most 16777216 hosts and as many switches in a fat tree");
  EXPECT_EQ(refusal(fat_tree({2, 2}, {1, 16777216})),
            "expected at most 16777216 hosts and as many switches in a fat tree");
  EXPECT_EQ(refusal(dragonfly(3, 3, 4, 2)) + refusal(fat_tree({4, 4}, {1, 2})), "");
}

}  // namespace
}  // namespace rondo
