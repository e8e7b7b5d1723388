#include "run/points/traffic.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.hpp"
#include "engine/engine.hpp"
#include "generate/generate.hpp"
#include "problems.hpp"

namespace rondo {
namespace {

/// All to all neighbors of a torus of these extents, posted at once.
Schedule moore_exchange(std::vector<int> const& extents, Bytes block) {
  auto problem = test::alltoall(Torus(extents), moore(static_cast<int>(extents.size()), 1), block);
  problem.algorithm = problem::IsomorphicAlgorithm::posted;
  return generate::generate(problem);
}

Platform machine_of(MachineTopology topology) {
  Platform platform;
  platform.topology = std::move(topology);
  platform.latency = Seconds(1e-6);
  platform.bandwidth = BytesPerSecond(1e9);
  platform.links = LinkSharing::shared;
  return platform;
}

/// On a ring each rank sends n bytes to either side, over one link: every link carries n.
TEST(LinkLoads, of_neighbors_on_a_ring_are_one_block_a_link) {
  Platform platform = machine_of(Ring{7});
  platform.envelope = Bytes(24);
  LinkLoads const loads = link_loads(moore_exchange({7}, Bytes(1000)), platform);
  ASSERT_EQ(loads.links.size(), 14U);
  for (LinkLoad const& each : loads.links) EXPECT_EQ(each.bytes, 1024);
  EXPECT_EQ(max_link_bytes(loads), 1024);
  EXPECT_EQ(mean_link_bytes(loads), 1024);
  EXPECT_EQ(global_link_bytes(loads, platform), std::nullopt);
  // Two messages leave each host over its NIC, but only links are shared.
  EXPECT_DOUBLE_EQ(shared_load_time(loads, platform).value, 1024e-9);
  platform.timing = TimingModel::flow;
  EXPECT_DOUBLE_EQ(shared_load_time(loads, platform).value, 2048e-9);
  platform.links = LinkSharing::unshared;
  platform.ports = 2;
  EXPECT_DOUBLE_EQ(shared_load_time(loads, platform).value, 1024e-9);
  platform.timing = TimingModel::linear;
  EXPECT_EQ(shared_load_time(loads, platform), Seconds(0));
}

/// Two messages of 2^62 bytes leave and enter each host, one over each link: a link's and the mean load are what a
/// number holds, and a sum that is more is refused.
TEST(LinkLoads, that_are_more_than_a_number_holds_are_refused) {
  std::int64_t const half = std::int64_t{1} << 62;
  Platform platform = machine_of(Ring{7});
  platform.envelope = Bytes(half - 1000);
  EXPECT_THROW(link_loads(moore_exchange({7}, Bytes(1000)), platform), InputError);
  platform.envelope = Bytes(half - 1001);
  LinkLoads const loads = link_loads(moore_exchange({7}, Bytes(1000)), platform);
  EXPECT_EQ(max_link_bytes(loads), half - 1);
  EXPECT_EQ(mean_link_bytes(loads), static_cast<double>(half - 1));
}

/// Bytes that are summed route by route and link by link.
std::vector<std::int64_t> followed(Schedule const& schedule, Platform const& platform) {
  std::vector<std::int64_t> bytes(static_cast<std::size_t>(link_ids(platform.topology)));
  for (int rank = 0; rank < schedule.ranks; ++rank) {
    Program const& program = schedule.program(Rank(rank));
    if (program.rounds() == 0) continue;  // all offsets lead back to the rank itself
    for (Transfer const& send : program.sends(1)) {
      std::vector<LinkId> route;
      append_route(platform.topology, rank, schedule.peer(Rank(rank), send).value, route);
      for (LinkId const id : route) bytes[static_cast<std::size_t>(id)] += program.bytes(send).value;
    }
  }
  return bytes;
}

/// 200 random exchanges with random sizes on random rings, tori and meshes, extents of 1 and 2 among them.
TEST(LinkLoads, on_grids_are_those_of_routes_that_are_followed_link_by_link) {
  Random random(17);
  auto const up_to = [&](std::uint64_t most) { return static_cast<int>(random.bits() % most) + 1; };
  for (int attempt = 0; attempt < 200; ++attempt) {
    std::vector<int> extents;
    for (int d = up_to(3); d > 0; --d) extents.push_back(up_to(7));
    Torus const torus(extents);
    std::vector<MachineTopology> topologies{TorusMachine{torus}, MeshMachine{torus}, Ring{torus.size()}};
    std::vector<std::vector<int>> offsets;
    for (int n = up_to(12); n > 0; --n) {
      offsets.emplace_back();
      for (int const extent : extents)
        offsets.back().push_back(up_to(static_cast<std::uint64_t>(4 * extent)) - 2 * extent);
    }
    auto problem = test::alltoall(torus, Neighborhood(torus.dimensions(), offsets), Bytes(up_to(1000)));
    problem.algorithm = problem::IsomorphicAlgorithm::posted;
    Schedule const schedule = generate::generate(problem);
    for (MachineTopology const& topology : topologies) {
      Platform const platform = machine_of(topology);
      std::vector<std::int64_t> const expected = followed(schedule, platform);
      for (LinkLoad const& each : link_loads(schedule, platform).links) {
        ASSERT_EQ(each.bytes, expected[static_cast<std::size_t>(each.id)]) << attempt << " link " << each.id;
      }
    }
  }
}

/// On a ring of 2^18 hosts each one sends n bytes to the host across: 2^17 links upwards each, 2^35 in all, which no
/// walk along them does within the time of a test.
TEST(LinkLoads, of_a_large_ring_take_no_longer_for_longer_routes) {
  int const hosts = 1 << 18;
  auto problem = test::alltoall(Torus({hosts}), Neighborhood(1, {{hosts / 2}}), Bytes(1000));
  problem.algorithm = problem::IsomorphicAlgorithm::posted;
  LinkLoads const loads = link_loads(generate::generate(problem), machine_of(Ring{hosts}));
  EXPECT_EQ(max_link_bytes(loads), std::int64_t{1000} * hosts / 2);
  EXPECT_EQ(mean_link_bytes(loads), 1000.0 * hosts / 4);
}

/// All links together carry each message as often as it has hops; those between groups of a dragonfly carry each
/// message between groups once.
TEST(LinkLoads, add_up_to_bytes_times_hops) {
  Schedule const schedule = moore_exchange({4, 6}, Bytes(10));
  std::vector<MachineTopology> const topologies{
      Ring{24}, TorusMachine{Torus({4, 6})}, TorusMachine{Torus({6, 4})}, FatTree{{4, 6}, {1, 2}, {1, 1}},
      Dragonfly{.groups = 3, .chassis = 2, .routers = 2, .hosts_per_router = 2}};
  for (MachineTopology const& topology : topologies) {
    Platform const platform = machine_of(topology);
    LinkLoads const loads = link_loads(schedule, platform);
    std::int64_t all = 0, between_groups = 0;
    for (int rank = 0; rank < 24; ++rank) {
      for (Transfer const& send : schedule.program(Rank(rank)).sends(1)) {
        int const target = schedule.peer(Rank(rank), send).value;
        all += 10 * hops(platform, rank, target);
        between_groups += rank / 8 != target / 8 ? 10 : 0;
      }
    }
    EXPECT_NEAR(mean_link_bytes(loads).value() * static_cast<double>(loads.links.size()), static_cast<double>(all),
                1e-6);
    std::optional<std::int64_t> global;
    if (std::holds_alternative<Dragonfly>(topology)) global = between_groups;
    EXPECT_EQ(global_link_bytes(loads, platform), global);
  }
}

TEST(LinkLoads, are_not_known_where_only_SimGrid_knows_routes) {
  Platform const platform = machine_of(PlatformFile{"any.xml"});
  LinkLoads const loads = link_loads(moore_exchange({3}, Bytes(10)), platform);
  EXPECT_EQ(max_link_bytes(loads), std::nullopt);
  EXPECT_EQ(mean_link_bytes(loads), std::nullopt);
  EXPECT_EQ(shared_load_time(loads, platform), Seconds(0));
}

/// No simulation is faster, and one over a single link that all share takes no more than a latency longer.
TEST(LinkLoads, bound_every_simulation) {
  Random random(3);
  for (int i = 0; i < 60; ++i) {
    int const each = i % 3 == 0 ? 2 : 1;
    Schedule const schedule = moore_exchange({4, 3}, Bytes(random.between(1, 100000)));
    Platform platform = machine_of(Ring{12 / each});
    if (i % 2 == 0 && each == 1) {
      platform.topology =
          Dragonfly{.groups = 3, .chassis = 2, .routers = 2, .hosts_per_router = 1, .cables = {2, 1, 1}};
    }
    platform.ranks_per_host = each;
    platform.ports = static_cast<int>(random.between(1, 4));
    platform.link_bandwidth = BytesPerSecond(static_cast<double>(random.between(2, 20)) * 1e8);
    platform.timing = random.below(2) == 0 ? TimingModel::flow : TimingModel::linear;
    Seconds const least = shared_load_time(link_loads(schedule, platform), platform);
    auto const outcome = simulate_native(schedule, platform, {});
    EXPECT_GT(least, Seconds(0));
    EXPECT_LE(least.value, outcome.result.value().makespan.value * (1 + 1e-9)) << i;
  }
  // From 0, 1 and 2 to 3, 4 and 5 over the link between two routers of one group.
  Platform platform = machine_of(Dragonfly{.groups = 1, .chassis = 1, .routers = 2, .hosts_per_router = 3});
  platform.timing = TimingModel::flow;
  Layout layout;
  layout.block = Bytes(50000);
  layout[Buffer::send].slots = layout[Buffer::receive].slots = 1;
  Schedule schedule;
  schedule.ranks = 6;
  for (int rank = 0; rank < 6; ++rank) {
    ProgramBuilder builder(layout);
    builder.begin_round();
    std::vector<Place> const from{send_slot(0)}, into{receive_slot(0)};
    if (rank < 3) builder.send(rank + 3, from);
    if (rank >= 3) builder.receive(rank - 3, into);
    schedule.programs.push_back(std::move(builder).finish());
    schedule.program_of.push_back(static_cast<std::uint32_t>(rank));
  }
  Seconds const least = shared_load_time(link_loads(schedule, platform), platform);
  EXPECT_DOUBLE_EQ(least.value, 150e-6);
  EXPECT_NEAR(simulate_native(schedule, platform, {}).result.value().makespan.value, 151e-6, 1e-15);
}

/// They follow the routes that messages take: links that have failed carry nothing, and what is added up is bytes times
/// hops by any rule whose routes are known.
TEST(LinkLoads, follow_the_routing) {
  Schedule const schedule = moore_exchange({4, 6}, Bytes(10));
  Platform platform = machine_of(Dragonfly{.groups = 3, .chassis = 2, .routers = 2, .hosts_per_router = 2});
  platform.routing.seed = 3;
  platform.routing.failed = links_between(platform.topology, {{1, 4}, {0, 1}});
  for (RoutingRule const rule : {RoutingRule::minimal, RoutingRule::valiant, RoutingRule::ecmp}) {
    platform.routing.rule = rule;
    LinkLoads const loads = link_loads(schedule, platform);
    Routes const routes(platform);
    std::int64_t all = 0, sum = 0;
    for (int rank = 0; rank < 24; ++rank) {
      for (Transfer const& send : schedule.program(Rank(rank)).sends(1)) {
        all += 10 * routes.hops(rank, schedule.peer(Rank(rank), send).value);
      }
    }
    for (LinkLoad const& each : loads.links) {
      sum += each.bytes;
      if (std::binary_search(platform.routing.failed.begin(), platform.routing.failed.end(), each.id)) {
        EXPECT_EQ(each.bytes, 0);
      }
    }
    EXPECT_EQ(sum, all);
    EXPECT_GE(simulate_native(schedule, platform, {}).result.value().makespan.value * (1 + 1e-9),
              shared_load_time(loads, platform).value);
  }
  platform.routing.rule = RoutingRule::ugal;
  EXPECT_EQ(max_link_bytes(link_loads(schedule, platform)), std::nullopt);
}

}  // namespace
}  // namespace rondo
