// One rank in place of all: exactly the times of the full run.

#include <gtest/gtest.h>

#include "native_schedules.hpp"
#include "platform/routing.hpp"
#include "random_machines.hpp"
#include "schedules.hpp"

namespace rondo {
namespace {

using namespace testing;

Platform torus_machine(Torus const& torus) {
  Platform platform = machine(torus.size());
  platform.topology = TorusMachine{torus};
  platform.hop_latency = 70_ns;
  return platform;
}

Torus random_torus(Random& random) {
  std::vector<int> extents;
  for (auto d = random.between(1, 3); d > 0; --d) extents.push_back(static_cast<int>(random.between(1, 4)));
  return Torus(extents);
}

/// Each rank and message for itself: a record of messages is kept of no rank that stands for others.
Outcome<Timing> simulate_in_full(Schedule const& schedule, Platform const& platform) {
  EngineOptions options;
  options.log = Log::messages;
  return rondo::simulate_native(schedule, platform, options);
}

/// The times of a schedule, which have to be those of its expansion to 1e-12.
Timing timed_as_expanded(Schedule const& schedule, Platform const& platform) {
  Timing one = testing::simulate_native(schedule, platform);
  Timing const all = *simulate_in_full(expanded(schedule), platform).result;
  double const tolerance = 1e-12 * all.makespan.value;
  EXPECT_NEAR(one.makespan.value, all.makespan.value, tolerance);
  EXPECT_EQ(one.messages, all.messages);
  EXPECT_EQ(one.bytes, all.bytes);
  for (int r = 0; r < schedule.ranks; ++r) EXPECT_NEAR(finish(one, r).value, finish(all, r).value, tolerance) << r;
  return one;
}

TEST(NativeSymmetric, five_hundred_isomorphic_schedules_take_the_time_of_their_expansion) {
  Random random(11);
  int by_representative = 0;
  for (int i = 0; i < 500; ++i) {
    Torus const torus = random_torus(random);
    Schedule const schedule = random_isomorphic(random, torus, 4, static_cast<int>(random.between(1, 6)));
    Platform platform = random.below(2) == 0 ? machine(torus.size()) : torus_machine(torus);
    platform.ports = static_cast<int>(random.between(1, 3));
    SCOPED_TRACE(i);
    Timing const one = timed_as_expanded(schedule, platform);
    by_representative += one.finish.size() == 1 && torus.size() > 1 ? 1 : 0;
  }
  EXPECT_GT(by_representative, 300);
}

TEST(NativeSymmetric, five_hundred_isomorphic_schedules_take_the_flow_time_of_their_expansion) {
  Random random(14);
  int by_pair = 0;
  for (int i = 0; i < 500; ++i) {
    Torus const torus = random_torus(random);
    Schedule const schedule = random_isomorphic(random, torus, 4, static_cast<int>(random.between(1, 6)));
    Platform platform = random_flow_machine(random);
    platform.topology = FullyConnected{torus.size()};
    platform.placement = BlockPlacement{};
    if (random.below(4) > 0) platform.ranks_per_host = 1;
    if (random.below(2) == 0) platform.links = LinkSharing::unshared;
    SCOPED_TRACE(i);
    Timing const one = timed_as_expanded(schedule, platform);
    by_pair += one.finish.size() == 1 && torus.size() > 1 ? 1 : 0;
  }
  EXPECT_GT(by_pair, 50);
}

/// On shared links too, where the machine is the torus of the schedule.
TEST(NativeSymmetric, five_hundred_isomorphic_schedules_take_the_time_of_their_expansion_on_shared_links) {
  Random random(21);
  int by_representative = 0, slowed = 0;
  for (int i = 0; i < 500; ++i) {
    Torus const torus = random_torus(random);
    Schedule const schedule = random_isomorphic(random, torus, 4, static_cast<int>(random.between(1, 6)));
    Platform platform = random_machine(random);
    platform.topology = TorusMachine{torus};
    if (torus.dimensions() == 1) platform.topology = Ring{torus.size()};
    platform.links = LinkSharing::shared;
    platform.routing = {};
    platform.placement = BlockPlacement{};
    if (random.below(4) > 0) platform.ranks_per_host = 1;
    SCOPED_TRACE(i);
    Timing const one = timed_as_expanded(schedule, platform);
    by_representative += one.finish.size() == 1 && torus.size() > 1 ? 1 : 0;
    platform.links = LinkSharing::unshared;
    slowed += testing::simulate_native(schedule, platform).makespan < 0.99 * one.makespan ? 1 : 0;
  }
  EXPECT_GT(by_representative, 250);
  EXPECT_GT(slowed, 100);
}

/// Under flow timing on the torus of the schedule, whose ranks are as far from each other as their offsets say.
TEST(NativeSymmetric, five_hundred_isomorphic_schedules_take_the_flow_time_of_their_expansion_on_their_torus) {
  Random random(23);
  int by_representative = 0, slowed = 0;
  for (int i = 0; i < 500; ++i) {
    Torus const torus = random_torus(random);
    Schedule const schedule = random_isomorphic(random, torus, 4, static_cast<int>(random.between(1, 6)));
    Platform platform = random_flow_machine(random);
    platform.topology = TorusMachine{torus};
    if (torus.dimensions() == 1) platform.topology = Ring{torus.size()};
    platform.links = random.below(4) > 0 ? LinkSharing::shared : LinkSharing::unshared;
    platform.routing = {};
    platform.placement = BlockPlacement{};
    if (random.below(4) > 0) platform.ranks_per_host = 1;
    if (random.below(2) == 0) platform.flow.match = Seconds(0);
    SCOPED_TRACE(i);
    Timing const one = timed_as_expanded(schedule, platform);
    by_representative += one.finish.size() == 1 && torus.size() > 1 ? 1 : 0;
    if (one.finish.size() != 1 || platform.links == LinkSharing::unshared) continue;
    platform.links = LinkSharing::unshared;
    slowed += testing::simulate_native(schedule, platform).makespan < 0.99 * one.makespan ? 1 : 0;
  }
  EXPECT_GT(by_representative, 100);
  EXPECT_GT(slowed, 30);
}

/// A ring of up to 12 ranks, or a hypercube of up to 16.
Torus ring_or_hypercube(Random& random) {
  if (random.below(2) == 0) return Torus({static_cast<int>(random.between(2, 12))});
  return Torus(std::vector<int>(random.between(1, 4), 2));
}

/// Lists of each rank are looked through for what they have in common. In a third of them one rank does something else.
TEST(NativeSymmetric, a_thousand_lists_of_ranks_take_the_time_of_a_full_run) {
  Random random(29);
  int by_one = 0, stood = 0;
  for (int i = 0; i < 1000; ++i) {
    Torus const torus = ring_or_hypercube(random);
    Schedule schedule = expanded(random_isomorphic(random, torus, 3, static_cast<int>(random.between(1, 4))));
    if (random.below(3) == 0) {
      Schedule const other = expanded(random_isomorphic(random, torus, 3, static_cast<int>(random.between(1, 4))));
      std::size_t const rank = random.below(schedule.programs.size());
      schedule.programs[rank] = other.programs[rank];
    }
    Platform platform = random.below(2) == 0 ? random_flow_machine(random) : random_machine(random);
    platform.topology = FullyConnected{torus.size()};
    if (random.below(3) == 0) platform.topology = TorusMachine{torus};
    platform.placement = BlockPlacement{};
    platform.routing = {};
    if (random.below(4) > 0) platform.ranks_per_host = 1;
    SCOPED_TRACE(i);
    Outcome<Timing> const one = rondo::simulate_native(schedule, platform, {});
    Outcome<Timing> const all = simulate_in_full(schedule, platform);
    ASSERT_EQ(one.failure, all.failure) << one.error << all.error;
    stood += one.result ? 0 : 1;
    if (!one.result) continue;
    EXPECT_NEAR(one.result->makespan.value, all.result->makespan.value, 1e-12 * all.result->makespan.value);
    for (int r = 0; r < schedule.ranks; ++r) {
      EXPECT_NEAR(finish(*one.result, r).value, finish(*all.result, r).value, 1e-12 * all.result->makespan.value) << r;
    }
    by_one += one.result->finish.size() == 1 ? 1 : 0;
  }
  EXPECT_GT(by_one, 200);
  EXPECT_LT(by_one, 700);
  EXPECT_GT(stood, 50);
}

TEST(NativeSymmetric, a_mesh_a_broken_torus_and_another_torus_are_run_in_full) {
  Torus const torus({3, 4});
  Random random(22);
  Schedule const schedule = random_isomorphic(random, torus, 3, 3);
  Platform platform = torus_machine(torus);
  platform.links = LinkSharing::shared;
  EXPECT_EQ(testing::simulate_native(schedule, platform).finish.size(), 1U);
  platform.routing.failed = links_between(platform.topology, {{0, 1}});
  EXPECT_EQ(testing::simulate_native(schedule, platform).finish.size(), 12U);
  platform.routing = {};
  platform.placement = CyclicPlacement{};
  EXPECT_EQ(testing::simulate_native(schedule, platform).finish.size(), 12U);
  platform.placement = {};
  for (MachineTopology const& other :
       {MachineTopology(TorusMachine{Torus({4, 3})}), MachineTopology(MeshMachine{torus}), MachineTopology(Ring{12})}) {
    platform.topology = other;
    EXPECT_EQ(testing::simulate_native(schedule, platform).finish.size(), 12U);
  }
}

/// Two steps to the right of all ranks of a ring: every link carries two flows. 2^20 ranks take the time of one.
TEST(NativeSymmetric, a_million_ranks_that_share_links_take_the_time_of_one) {
  constexpr int ranks = 1 << 20;
  Platform platform = machine(ranks);
  platform.topology = Ring{ranks};
  platform.links = LinkSharing::shared;
  Case const shift = ring_shift(ranks, {2}, 1000_B);
  Timing const timing = testing::simulate_native(shift.schedule, platform);
  EXPECT_EQ(timing.finish.size(), 1U);
  EXPECT_EQ(timing.messages, ranks);
  EXPECT_SECONDS(timing.makespan, 1_us + 2 * 1_us);
  EXPECT_LT(timing.wall, Seconds(0.05));
}

/// The same under flow timing: a CPU posts the message before, and takes another one behind.
TEST(NativeSymmetric, so_do_a_million_ranks_under_flow_timing) {
  constexpr int ranks = 1 << 20;
  Platform platform = machine(ranks);
  platform.topology = Ring{ranks};
  platform.links = LinkSharing::shared;
  platform.timing = TimingModel::flow;
  platform.flow.o_send = 300_ns;
  platform.flow.o_recv = 200_ns;
  Case const shift = ring_shift(ranks, {2}, 1000_B);
  Timing const timing = testing::simulate_native(shift.schedule, platform);
  EXPECT_EQ(timing.finish.size(), 1U);
  EXPECT_EQ(timing.messages, ranks);
  EXPECT_SECONDS(timing.makespan, 300_ns + 1_us + 2 * 1_us + 200_ns);
  EXPECT_LT(timing.wall, Seconds(0.05));
}

TEST(NativeSymmetric, a_machine_that_differs_from_rank_to_rank_is_run_in_full) {
  Torus const torus({3, 4});
  Random random(12);
  Schedule const schedule = random_isomorphic(random, torus, 5, 1);
  Platform ring = machine(12);
  ring.topology = Ring{12};
  ring.hop_latency = 70_ns;
  Timing const timing = testing::simulate_native(schedule, ring);
  EXPECT_EQ(timing.finish.size(), 12U);
  Timing const all = *simulate_in_full(expanded(schedule), ring).result;
  for (int r = 0; r < 12; ++r)
    EXPECT_NEAR(finish(timing, r).value, finish(all, r).value, 1e-12 * all.makespan.value) << r;
}

TEST(NativeSymmetric, sixteen_million_ranks_take_the_time_of_one) {
  Torus const torus({256, 256, 256});
  Random random(13);
  Schedule const schedule = random_isomorphic(random, torus, 6, 4);
  Timing const timing = testing::simulate_native(schedule, torus_machine(torus));
  EXPECT_EQ(timing.finish.size(), 1U);
  EXPECT_GT(timing.messages, torus.size());
  EXPECT_LT(timing.wall, Seconds(0.01));
}

TEST(NativeSymmetric, sends_without_their_receives_are_a_deadlock) {
  Torus const torus({4});
  Random random(14);
  Schedule schedule = random_isomorphic(random, torus, 2, 1);
  ProgramBuilder builder(schedule.programs.front().layout());
  builder.begin_round();
  Place const place[] = {send_slot(0)};
  builder.send(0, place);
  builder.begin_round();
  builder.receive(1, place);
  schedule.offsets = {1, -1};
  schedule.programs.front() = std::move(builder).finish();
  Outcome const outcome = rondo::simulate_native(schedule, machine(4), {});
  EXPECT_EQ(outcome.failure, Failure::deadlock);
  EXPECT_EQ(outcome.error,
            "deadlock: circular wait: rank 0 waits in round 1 for rank 1, rank 1 waits in round 1 for rank 2, rank 2 "
            "waits in round 1 for rank 3, rank 3 waits in round 1 for rank 0");
}

}  // namespace
}  // namespace rondo
