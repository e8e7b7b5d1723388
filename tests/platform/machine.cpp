#include <gtest/gtest.h>

#include "platform/platform.hpp"

namespace rondo {
namespace {

Platform with(MachineTopology topology) {
  Platform platform;
  platform.topology = std::move(topology);
  platform.latency = 2_us;
  platform.hop_latency = 100_ns;
  platform.bandwidth = 1_GBps;
  return platform;
}

TEST(Machine, counts_its_hosts) {
  EXPECT_EQ(hosts(with(FullyConnected{7})), 7);
  EXPECT_EQ(hosts(with(Ring{5})), 5);
  EXPECT_EQ(hosts(with(TorusMachine{Torus({8, 6, 10})})), 480);
  EXPECT_EQ(hosts(with(PlatformFile{"machine.xml"})), 0);
}

TEST(Machine, puts_rank_r_on_host_r) { EXPECT_EQ(host_of(with(Ring{5}), Rank(3)), 3); }

TEST(Machine, is_one_hop_wide_when_fully_connected) {
  Platform const platform = with(FullyConnected{7});
  EXPECT_EQ(hops(platform, 0, 6), 1);
  EXPECT_EQ(hops(platform, 2, 5), 1);
  EXPECT_EQ(hops(platform, 2, 2), 0);
}

TEST(Machine, goes_the_shorter_way_round_a_ring) {
  Platform const platform = with(Ring{6});
  EXPECT_EQ(hops(platform, 0, 1), 1);
  EXPECT_EQ(hops(platform, 5, 0), 1);
  EXPECT_EQ(hops(platform, 0, 3), 3);
  EXPECT_EQ(hops(platform, 1, 5), 2);
  EXPECT_EQ(hops(platform, 0, 5), 1);
  EXPECT_GT(hops(platform, 0, 2), 1);
}

TEST(Machine, does_not_go_round_a_mesh) {
  Platform const platform = with(MeshMachine{Torus({4, 5})});
  EXPECT_EQ(hosts(platform), 20);
  EXPECT_EQ(hops(platform, 0, 4), 4);
  EXPECT_EQ(hops(platform, 0, 19), 3 + 4);
  EXPECT_GT(hops(platform, 0, 4), 1);
  EXPECT_GT(hops(platform, 0, 15), 1);
  EXPECT_EQ(hops(platform, 0, 5), 1);
}

TEST(Machine, goes_the_shortest_way_on_a_torus) {
  Platform const platform = with(TorusMachine{Torus({4, 5})});
  EXPECT_EQ(hops(platform, 0, 4), 1);   // (0,0) to (0,4)
  EXPECT_EQ(hops(platform, 0, 15), 1);  // (0,0) to (3,0)
  EXPECT_EQ(hops(platform, 0, 12), 4);  // (0,0) to (2,2)
  EXPECT_EQ(hops(platform, 0, 15), 1);
  EXPECT_GT(hops(platform, 0, 6), 1);
}

TEST(Machine, adds_a_hop_latency_for_each_link_after_the_first) {
  Platform const platform = with(Ring{6});
  EXPECT_DOUBLE_EQ(startup(platform, 0, 1).value, 2e-6);
  EXPECT_DOUBLE_EQ(startup(platform, 0, 3).value, 2.2e-6);
  EXPECT_DOUBLE_EQ(startup(platform, 4, 4).value, 2e-6);
}

}  // namespace
}  // namespace rondo
