// Flow timing is one rule (docs/model.md): both engines, and the rule carried out in exact fractions, give one time.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "library_schedules.hpp"
#include "native_schedules.hpp"
#include "random_machines.hpp"
#include "sanitized.hpp"
#include "schedules.hpp"

namespace rondo {
namespace {

using namespace testing;

/// The machine with a topology that carries the library's schedules, in any way.
Platform with_hosts(Random& random, Platform platform) {
  platform.ranks_per_host = static_cast<int>(one_of<int>(random, {1, 1, 2, 3}));
  int const hosts = library_ranks / platform.ranks_per_host;
  std::vector<MachineTopology> topologies{FullyConnected{hosts}, Ring{hosts}};
  if (hosts == 12) {
    topologies = {Ring{12}, TorusMachine{Torus({3, 4})}, TorusMachine{Torus({4, 3})}, FatTree{{4, 3}, {1, 2}, {1, 1}},
                  Dragonfly{.groups = 3, .chassis = 1, .routers = 2, .hosts_per_router = 2}};
  }
  platform.topology = one_of(random, topologies);
  platform.placement = random_placement(random, hosts, platform.ranks_per_host);
  platform.routing = random_routing(random, platform);
  return platform;
}

TEST(LongFlowAgrees, on_a_thousand_random_schedules_and_machines) {
  for (int seed = 1; seed <= 1000 / test::thinned; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    Platform const platform = random_flow_machine(random);
    auto const ranks = static_cast<int>(rondo::ranks(platform));
    expect_agreement(schedule_of(ranks, random_messages(random, ranks)), platform);
    ASSERT_FALSE(::testing::Test::HasFailure()) << "seed " << seed;
  }
}

TEST(FlowAgrees, with_the_rule_carried_out_in_exact_fractions) {
  for (int seed = 3001; seed <= 3000 + 200 / test::sampled; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    Platform const platform = random_flow_machine(random);
    auto const ranks = static_cast<int>(rondo::ranks(platform));
    auto planned = random_messages(random, ranks);
    if (planned.size() > 40) planned.resize(40);
    auto const expected = reference_flow_finish(ranks, planned, platform);
    Schedule const schedule = schedule_of(ranks, planned);
    Timing const native = testing::simulate_native(schedule, platform);
    Timing const smpi = smpi_timing(schedule, platform);
    for (int rank = 0; rank < ranks; ++rank) {
      double const due = expected[static_cast<std::size_t>(rank)];
      ASSERT_NEAR(1e9 * finish(native, rank).value, due, 1e-9 * due) << "seed " << seed << ", rank " << rank;
      ASSERT_NEAR(1e9 * finish(smpi, rank).value, due, 1e-9 * due) << "seed " << seed << ", rank " << rank;
    }
  }
}

/// The schedules of the library itself, in rounds and posted at once.
TEST(LongFlowAgrees, on_schedules_of_every_family) {
  Random random(17);
  for (Bytes const block : {0_B, 700_B, 64_KiB}) {
    for (NamedSchedule const& each : library_schedules(block)) {
      SCOPED_TRACE(each.name);
      expect_agreement(each.schedule, with_hosts(random, random_flow_machine(random)));
      expect_agreement(each.schedule, with_hosts(random, random_machine(random)));
    }
  }
}

/// With payload that is moved and checked, messages are made of derived datatypes, and some are sent eagerly.
TEST(FlowAgrees, where_payload_is_moved) {
  Random random(19);
  for (int i = 0; i < 12; ++i) {
    Platform platform = random_flow_machine(random);
    platform.topology = Ring{6};
    platform.routing = {};
    platform.ranks_per_host = 1;
    platform.placement = {};
    Case const what = combined_ring(6, Bytes(random.between(0, 3000)));
    Timing const smpi = simulate(what, platform, Payload::verified);
    EXPECT_TRUE(smpi.payload_verified);
    EXPECT_SECONDS(testing::simulate_native(what.schedule, platform).makespan, smpi.makespan);
  }
}

TEST(FlowAgrees, on_platform_files) {
  Random random(31);
  test::Folder const folder;
  for (std::string const& file : platform_files(folder)) {
    for (int i = 0; i < 4; ++i) {
      Platform platform = random_flow_machine(random);
      platform.topology = PlatformFile{file};
      platform.routing = {};
      platform.hop_latency = Seconds(0);
      platform.links = LinkSharing::unshared;
      platform.ranks_per_host = 1;
      platform.placement = {};
      SCOPED_TRACE(file);
      expect_agreement(schedule_of(12, random_messages(random, 12)), platform);
    }
  }
}

/// Both logs say when each message went off, and when its receive ended.
TEST(FlowAgrees, on_the_times_of_every_message) {
  for (int seed = 4001; seed <= 4020; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    Platform const platform = random_flow_machine(random);
    auto const ranks = static_cast<int>(rondo::ranks(platform));
    Schedule const schedule = schedule_of(ranks, random_messages(random, ranks));
    EngineOptions const log{.payload = Payload::timing, .log = Log::messages};
    auto const native = rondo::simulate_native(schedule, platform, log).result.value();
    auto const smpi =
        rondo::simulate_smpi(schedule, IsomorphicAlltoall{Torus({ranks}), Neighborhood(1, {{1}})}, platform, log)
            .result.value();
    auto const sorted = [](std::vector<MessageTimes> message_times) {
      // To a picosecond, so that what differs by rounding is sorted alike.
      auto const key = [](MessageTimes const& each) {
        return std::tuple(each.source, each.target, each.bytes, std::round(1e12 * each.send_start.value),
                          std::round(1e12 * each.send_end.value));
      };
      std::sort(message_times.begin(), message_times.end(),
                [&](auto const& a, auto const& b) { return key(a) < key(b); });
      return message_times;
    };
    auto const expected = sorted(smpi.message_times), found = sorted(native.message_times);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(std::tuple(found[i].source, found[i].target, found[i].bytes),
                std::tuple(expected[i].source, expected[i].target, expected[i].bytes));
      for (MessageTimes const& each : {found[i], expected[i]}) {
        EXPECT_EQ(each.send_start, each.receive_start);
        EXPECT_EQ(each.send_end, each.receive_end);
      }
      EXPECT_NEAR(found[i].send_start.value, expected[i].send_start.value, 1e-9 * smpi.makespan.value) << seed;
      EXPECT_NEAR(found[i].send_end.value, expected[i].send_end.value, 1e-9 * smpi.makespan.value) << seed;
    }
  }
}

}  // namespace
}  // namespace rondo
