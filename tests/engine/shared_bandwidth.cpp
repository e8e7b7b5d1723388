// Several ranks a host, and shared links: what is due follows from the model in platform.hpp, by hand. alpha = 1 us,
// B = 1 GB/s, so that a block of 1 kB takes 1 us.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "generate/generate.hpp"
#include "native_schedules.hpp"
#include "problems.hpp"
#include "schedules.hpp"
#include "theory/isomorphic.hpp"

namespace rondo {
namespace {

using namespace testing;

constexpr Bytes kilobyte{1000};

Platform with(MachineTopology topology, int ranks_per_host = 1) {
  Platform platform = machine(1);
  platform.topology = std::move(topology);
  platform.ranks_per_host = ranks_per_host;
  return platform;
}

Platform sharing(MachineTopology topology, Seconds hop_latency = Seconds(0)) {
  Platform platform = with(std::move(topology));
  platform.links = LinkSharing::shared;
  platform.hop_latency = hop_latency;
  return platform;
}

/// On both engines, which must take the same time.
Timing timing(Case const& what, Platform const& platform, Payload payload = Payload::automatic) {
  Timing const smpi = simulate(what, platform, payload);
  EXPECT_SECONDS(testing::simulate_native(what.schedule, platform).makespan, smpi.makespan);
  return smpi;
}

/// All messages in one round; what they are for does not matter without payload.
Timing run(int ranks, std::vector<PlannedMessage> const& planned, Platform const& platform) {
  Collective const collective = IsomorphicAlltoall{Torus({ranks}), Neighborhood(1, {{1}})};
  return timing({schedule_of(ranks, planned), collective}, platform, Payload::timing);
}

PlannedMessage message(int source, int target, std::int64_t bytes = 1000) { return {source, target, 1, 1, bytes}; }

TEST(SeveralRanks, of_a_host_share_its_nic) {
  for (int const each : {2, 3, 8}) {
    // Every rank sends to the other host: `each` flows through every NIC.
    Timing const taken = timing(ring_shift(2 * each, {each}, kilobyte), with(FullyConnected{2}, each));
    EXPECT_SECONDS(taken.makespan, 1_us + static_cast<double>(each) * 1_us) << each;
  }
}

TEST(SeveralRanks, share_the_nic_of_a_host_that_receives) {
  // Three hosts of two ranks: both messages go to host 2, from different hosts.
  EXPECT_SECONDS(run(6, {message(0, 4), message(2, 5)}, with(FullyConnected{3}, 2)).makespan, 1_us + 2 * 1_us);
  EXPECT_SECONDS(run(6, {message(0, 4), message(3, 1)}, with(FullyConnected{3}, 2)).makespan, 1_us + 1_us);
}

TEST(SeveralRanks, wait_their_startups_without_using_the_nic) {
  // With empty blocks nothing is shared: alpha is a cost of each message, not of the NIC.
  EXPECT_SECONDS(timing(ring_shift(8, {4}, 0_B), with(FullyConnected{2}, 4)).makespan, 1_us);
}

TEST(SeveralRanks, have_a_nic_as_wide_as_their_ports) {
  Platform platform = with(FullyConnected{2}, 4);
  platform.ports = 2;
  // Four flows of a NIC of 2 GB/s.
  EXPECT_SECONDS(timing(ring_shift(8, {4}, kilobyte), platform).makespan, 1_us + 2 * 1_us);
  // One flow alone has no more than its port.
  EXPECT_SECONDS(run(8, {message(0, 4)}, platform).makespan, 1_us + 1_us);
}

TEST(SeveralRanks, do_not_use_the_nic_among_themselves) {
  Platform platform = with(FullyConnected{2}, 4);
  platform.intra_latency = 200_ns;
  platform.intra_bandwidth = 4_GBps;
  std::vector<PlannedMessage> const within{message(0, 1), message(1, 2), message(2, 3), message(3, 0)};
  EXPECT_SECONDS(run(8, within, platform).makespan, 200_ns + 250_ns);
  auto both = within;
  both.push_back(message(4, 7));
  EXPECT_SECONDS(run(8, both, platform).makespan, 200_ns + 250_ns);
  // Where nothing else is said, they take what a message between hosts takes.
  EXPECT_SECONDS(run(8, within, with(FullyConnected{2}, 4)).makespan, 2 * 1_us);
}

TEST(SeveralRanks, hold_their_ports_within_the_host_too) {
  Platform platform = with(FullyConnected{2}, 4);
  platform.intra_latency = 200_ns;
  platform.intra_bandwidth = 4_GBps;
  EXPECT_SECONDS(run(8, {message(0, 1), message(0, 2)}, platform).makespan, 2 * (200_ns + 250_ns));
  EXPECT_SECONDS(run(8, {message(0, 1), message(0, 4)}, platform).makespan, 200_ns + 250_ns + 2 * 1_us);
}

TEST(SeveralRanks, sit_where_their_placement_says) {
  Platform platform = with(FullyConnected{2}, 2);
  platform.intra_latency = Seconds(0);
  platform.intra_bandwidth = BytesPerSecond(1e10);
  std::vector<PlannedMessage> const pairs{message(0, 2), message(1, 3)};
  EXPECT_SECONDS(run(4, pairs, platform).makespan, 1_us + 2 * 1_us);
  platform.placement = CyclicPlacement{};
  EXPECT_SECONDS(run(4, pairs, platform).makespan, 100_ns);
  platform.placement = ListPlacement{{1, 0, 1, 0}};
  EXPECT_SECONDS(run(4, pairs, platform).makespan, 100_ns);
  platform.placement = ListPlacement{{1, 1, 0, 0}};
  EXPECT_SECONDS(run(4, pairs, platform).makespan, 1_us + 2 * 1_us);
}

TEST(SeveralRanks, carry_verified_payload) {
  EXPECT_TRUE(timing(combined_ring(12, 100_B), with(Ring{4}, 3), Payload::verified).payload_verified);
}

TEST(SeveralRanks, take_hops_between_hosts) {
  Platform platform = with(Ring{5}, 2);
  platform.hop_latency = 100_ns;
  // Ranks 0 and 5 sit on hosts 0 and 2.
  EXPECT_SECONDS(run(10, {message(0, 5)}, platform).makespan, 1_us + 100_ns + 1_us);
}

TEST(SharedLinks, take_twice_as_long_for_two_flows_on_one_link) {
  // On a ring of five, two steps up: every link carries two flows.
  Seconds const hop = 100_ns;
  EXPECT_SECONDS(timing(ring_shift(5, {2}, kilobyte), sharing(Ring{5}, hop)).makespan, 1_us + hop + 2 * 1_us);
  Platform wider = sharing(Ring{5}, hop);
  wider.link_bandwidth = 2_GBps;
  EXPECT_SECONDS(timing(ring_shift(5, {2}, kilobyte), wider).makespan, 1_us + hop + 1_us);
  Platform unshared = with(Ring{5});
  unshared.hop_latency = hop;
  EXPECT_SECONDS(timing(ring_shift(5, {2}, kilobyte), unshared).makespan, 1_us + hop + 1_us);
}

TEST(SharedLinks, are_busy_from_the_first_startup_to_the_last_byte) {
  // 0 -> 2 and 1 -> 2 meet on the link into 2: it carries 2 kB without a pause, from 1 us on, when the nearer starts.
  Platform platform = sharing(MeshMachine{Torus({3})}, 100_ns);
  platform.ports = 2;
  EXPECT_SECONDS(run(3, {message(0, 2), message(1, 2)}, platform).makespan, 1_us + 2 * 1_us);
}

TEST(SharedLinks, are_shared_max_min) {
  // On a mesh of 4: a: 0 -> 3, b: 0 -> 1, c: 2 -> 3, each with two ports. a meets b on the first link and c on the
  // last; all get 1/2 until a, b and c have their 1 kB: 2 us. A message of 3 kB instead of b goes on alone: 1/2 for 2
  // us, then 2 kB at full speed.
  Platform platform = sharing(MeshMachine{Torus({4})});
  platform.ports = 2;
  EXPECT_SECONDS(run(4, {message(0, 3), message(0, 1), message(2, 3)}, platform).makespan, 1_us + 2 * 1_us);
  EXPECT_SECONDS(run(4, {message(0, 3), message(0, 1, 3000), message(2, 3)}, platform).makespan,
                 1_us + 2 * 1_us + 2 * 1_us);
}

TEST(SharedLinks, have_no_traffic_in_the_other_direction) {
  EXPECT_SECONDS(run(2, {message(0, 1), message(1, 0)}, sharing(Ring{2})).makespan, 2 * 1_us);
  EXPECT_SECONDS(run(2, {message(0, 1), message(1, 0)}, sharing(MeshMachine{Torus({2})})).makespan, 2 * 1_us);
}

TEST(SharedLinks, of_a_dragonfly_meet_between_groups) {
  Dragonfly machine{.groups = 2, .chassis = 1, .routers = 2, .hosts_per_router = 2};
  // Hosts 0..3 are group 0; 0 and 1 of router 0 send to group 1 over one cable.
  std::vector<PlannedMessage> const pair{message(0, 4), message(1, 5)};
  EXPECT_SECONDS(run(8, pair, sharing(machine)).makespan, 1_us + 2 * 1_us);
  machine.cables = {2, 1, 1};
  machine.routers = 1;
  EXPECT_SECONDS(run(4, {message(0, 2), message(1, 3)}, sharing(machine)).makespan, 1_us + 1_us);
  // On one router nothing is shared.
  EXPECT_SECONDS(run(8, {message(0, 1), message(1, 0)}, sharing(Dragonfly{.groups = 2})).makespan, 2 * 1_us);
}

TEST(SharedLinks, of_a_fat_tree_meet_where_destinations_agree_modulo_its_links) {
  FatTree const machine{{4, 2}, {1, 2}, {1, 1}};
  std::vector<PlannedMessage> const apart{message(0, 4), message(1, 5)}, together{message(0, 4), message(1, 6)};
  EXPECT_SECONDS(run(8, apart, sharing(machine, 50_ns)).makespan, 1_us + 50_ns + 1_us);
  EXPECT_SECONDS(run(8, together, sharing(machine, 50_ns)).makespan, 1_us + 50_ns + 2 * 1_us);
}

TEST(SharedLinks, leave_proposition_1_exact_on_the_torus_of_the_ranks) {
  for (auto const& [torus, neighborhood] : std::vector<std::pair<Torus, Neighborhood>>{
           {Torus({5, 5}), moore(2, 2)}, {Torus({4, 2, 3}), moore(3, 1)}, {Torus({16}), shales(1, {1, 3})}}) {
    std::vector<int> order(static_cast<std::size_t>(torus.dimensions()));
    std::iota(order.begin(), order.end(), 0);
    Platform const platform = sharing(TorusMachine{torus}, 100_ns);
    auto const counts = theory::alltoall_dimension_wise(torus, neighborhood);
    Case const alltoall{generate::isomorphic_dimension_wise(test::alltoall(torus, neighborhood, kilobyte, order)),
                        IsomorphicAlltoall{torus, neighborhood}};
    Timing const taken = timing(alltoall, platform);
    EXPECT_TRUE(taken.payload_verified);
    EXPECT_SECONDS(taken.makespan,
                   static_cast<double>(counts.rounds) * 1_us + static_cast<double>(counts.volume_blocks) * 1_us);
  }
}

// A fully connected machine has no links, so that only the counting of ports differs.
TEST(SharedLinks, take_the_time_of_the_unshared_machine_where_nothing_is_shared) {
  Random random(7);
  for (int i = 0; i < 20; ++i) {
    auto const ranks = static_cast<int>(random.between(2, 10));
    int const ports = i % 3 + 1;
    auto const planned = random_payloads(random, ranks, 5, ports);
    Platform platform = sharing(FullyConnected{ranks});
    platform.ports = ports;
    Timing const shared = run(ranks, planned, platform);
    platform.links = LinkSharing::unshared;
    Timing const native = testing::simulate_native(schedule_of(ranks, planned), platform);
    EXPECT_SECONDS(shared.makespan, native.makespan) << i;
    EXPECT_EQ(shared.messages, native.messages);
    EXPECT_EQ(shared.bytes, native.bytes);
  }
}

TEST(SharedLinks, hold_a_port_for_the_startup_and_the_bytes_of_a_message) {
  Seconds const one = 2 * 1_us;
  Platform platform = sharing(FullyConnected{9});
  EXPECT_SECONDS(timing(posted_ring_shift(9, {1, 2}, kilobyte), platform).makespan, 2 * one);
  platform.ports = 2;
  EXPECT_SECONDS(timing(posted_ring_shift(9, {1, 2}, kilobyte), platform).makespan, one);
  platform.latency = Seconds(0);
  EXPECT_EQ(timing(posted_ring_shift(9, {1, 2}, 0_B), platform).makespan, Seconds(0));
}

TEST(SharedLinks, start_waiting_messages_in_the_order_in_which_they_became_ready) {
  // Rank 0 posts to 1, 2, 3 at once; each is served alone, in that order.
  Timing const taken = run(4, {message(0, 1), message(0, 2), message(0, 3)}, sharing(FullyConnected{4}));
  for (int r = 1; r <= 3; ++r) {
    EXPECT_SECONDS(taken.finish[static_cast<std::size_t>(r)], static_cast<double>(r) * (2 * 1_us));
  }
}

TEST(SharedLinks, repeat_themselves_bit_by_bit) {
  Case const shift = posted_ring_shift(16, {1, 5, 7, 11}, 1000_B);
  Platform const platform = sharing(TorusMachine{Torus({4, 4})}, 70_ns);
  Timing const first = simulate(shift, platform);
  EXPECT_EQ(first.finish, simulate(shift, platform).finish);
}

template <typename Simulate>
std::string refusal(Simulate simulate) {
  try {
    simulate();
  } catch (InputError const& error) {
    return error.what();
  }
  return "";
}

TEST(SeveralRanks, are_no_more_than_the_machine_carries) {
  EXPECT_EQ(refusal([] { run(5, {message(0, 1)}, with(Ring{2}, 2)); }), "5 ranks, the machine carries 4");
  Schedule const schedule = schedule_of(5, {message(0, 1)});
  EXPECT_EQ(refusal([&] { rondo::simulate_native(schedule, with(Ring{2}, 2), {}); }), "5 ranks, the machine carries 4");
}

}  // namespace
}  // namespace rondo
