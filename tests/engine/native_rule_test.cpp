// The rule of linear timing: a message starts when both ends have posted it and a port at each is free; of those that
// can start the one ready first, then posted first, then of the lower source, then earlier in its sender's list.
// All examples: 1 us and 1 GB/s, so a message of b kB holds its ports for 1 + b us.

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "native_schedules.hpp"
#include "schedules.hpp"

namespace rondo {
namespace {

using namespace testing;

struct Example {
  char const* name;
  int ranks;
  int ports;
  std::vector<PlannedMessage> planned;
  std::vector<double> finish_us;
};

std::vector<Example> const examples{
    {"one message", 2, 1, {{0, 1, 1, 1, 3000}}, {4, 4}},
    {"an empty message takes the latency", 2, 1, {{0, 1, 1, 1, 0}}, {1, 1}},
    {"both directions at once", 2, 1, {{0, 1, 1, 1, 1000}, {1, 0, 1, 1, 3000}}, {4, 4}},
    {"a chain waits for its predecessors", 3, 1, {{0, 1, 1, 1, 1000}, {1, 2, 2, 1, 2000}}, {2, 5, 5}},
    {"a rank goes on by itself", 4, 1, {{0, 1, 1, 1, 5000}, {2, 3, 1, 1, 0}, {2, 3, 2, 2, 0}}, {6, 6, 2, 2}},
    {"idle rounds take no time", 2, 1, {{0, 1, 5, 5, 1000}}, {2, 2}},
    {"one port serves in the order of the list",
     4,
     1,
     {{0, 1, 1, 1, 1000}, {0, 2, 1, 1, 2000}, {0, 3, 1, 1, 3000}},
     {9, 2, 5, 9}},
    {"two ports: the third waits for the first that is free",
     4,
     2,
     {{0, 1, 1, 1, 1000}, {0, 2, 1, 1, 2000}, {0, 3, 1, 1, 3000}},
     {6, 2, 3, 6}},
    {"three ports: all at once", 4, 3, {{0, 1, 1, 1, 1000}, {0, 2, 1, 1, 2000}, {0, 3, 1, 1, 3000}}, {4, 2, 3, 4}},
    {"an incast is served by source",
     4,
     1,
     {{1, 2, 1, 1, 9000}, {1, 0, 1, 1, 0}, {3, 0, 1, 1, 1000}, {2, 0, 1, 1, 2000}},
     // 1 is busy with 2 until 10. So 2 sends to 0 until 3, 3 until 5, and 1 from 10 on.
     {11, 11, 10, 5}},
    {"a message overtakes one that waits for a port",
     4,
     1,
     // 2 to 1 waits for 0 to 1, 0 being the lower source; 2's next goes ahead.
     {{0, 1, 1, 1, 4000}, {2, 1, 1, 1, 1000}, {2, 3, 1, 1, 2000}},
     {5, 7, 7, 3}},
    {"ready first comes first, whatever the place",
     4,
     1,
     // 3's message to 1 is ready at 0, 2's only at 2 when it enters round 2; 0 holds 1 until 6.
     {{0, 1, 1, 1, 5000}, {3, 0, 1, 1, 1000}, {3, 1, 1, 1, 2000}, {2, 1, 2, 1, 0}, {2, 3, 1, 1, 1000}},
     {6, 10, 10, 9}},
    {"posted first comes first among those ready together",
     4,
     1,
     // 1 enters round 2 at 5. 2 posted to it at 1, 3 at 0, both are ready at 5: 3 is served first.
     {{0, 1, 1, 1, 4000}, {3, 1, 1, 2, 1000}, {2, 1, 2, 2, 2000}, {2, 0, 1, 1, 0}},
     {5, 10, 10, 7}},
    {"of equal ones the lower source comes first, and of its messages the first in its list",
     4,
     1,
     {{3, 1, 1, 1, 0}, {2, 1, 1, 1, 0}, {0, 1, 1, 1, 1000}, {0, 1, 1, 1, 2000}},
     {5, 7, 6, 7}},
    {"messages between two ranks match in posting order",
     2,
     1,
     {{0, 1, 1, 1, 1000}, {0, 1, 1, 1, 2000}, {0, 1, 2, 2, 0}},
     {6, 6}},
};

TEST(NativeRule, examples_with_derived_times) {
  for (Example const& example : examples) {
    Platform platform = machine(example.ranks);
    platform.ports = example.ports;
    Timing const timing = testing::simulate_native(schedule_of(example.ranks, example.planned), platform);
    for (int r = 0; r < example.ranks; ++r) {
      EXPECT_NEAR(1e6 * finish(timing, r).value, example.finish_us[static_cast<std::size_t>(r)], 1e-9)
          << example.name << ", rank " << r;
    }
    EXPECT_EQ(timing.messages, static_cast<std::int64_t>(example.planned.size())) << example.name;
  }
}

TEST(NativeRule, hops_after_the_first_add_their_latency) {
  Platform ring = machine(8);
  ring.topology = Ring{8};
  ring.hop_latency = 100_ns;
  ring.envelope = 50_B;
  Timing const timing = testing::simulate_native(schedule_of(8, {{0, 1, 1, 1, 0}, {2, 6, 1, 1, 1000}}), ring);
  EXPECT_SECONDS(finish(timing, 1), 1_us + 50_ns);
  EXPECT_SECONDS(finish(timing, 6), 1_us + 3 * 100_ns + 1050_ns);
}

/// The machines that random schedules run on; all durations are whole nanoseconds.
std::vector<Platform> machines(int ranks) {
  Platform ring = machine(ranks);
  ring.topology = Ring{ranks};
  ring.hop_latency = 300_ns;
  Platform free_of_latency = machine(ranks);
  free_of_latency.latency = Seconds(0);
  return {machine(ranks), ring, free_of_latency};
}

TEST(NativeRule, three_thousand_random_schedules_take_the_time_of_the_naive_reference) {
  Random random(1);
  int waited = 0;
  for (int i = 0; i < 1000; ++i) {
    auto const ranks = static_cast<int>(random.between(1, 7));
    auto const planned =
        random_payloads(random, ranks, static_cast<int>(random.between(1, 4)), static_cast<int>(random.between(0, 3)));
    for (Platform platform : machines(ranks)) {
      platform.ports = static_cast<int>(random.between(1, 3));
      auto const expected = reference_finish(ranks, planned, platform);
      Timing const timing = testing::simulate_native(schedule_of(ranks, planned), platform);
      ASSERT_EQ(expected.size(), static_cast<std::size_t>(ranks));
      for (int r = 0; r < ranks; ++r) {
        double const nanoseconds = expected[static_cast<std::size_t>(r)];
        ASSERT_NEAR(1e9 * finish(timing, r).value, nanoseconds, 1e-6) << "schedule " << i << ", rank " << r;
        waited += nanoseconds > 0 ? 1 : 0;
      }
    }
  }
  EXPECT_GT(waited, 1000);
}

TEST(NativeRule, larger_random_schedules_take_the_time_of_the_naive_reference) {
  Random random(4);
  for (int i = 0; i < 20; ++i) {
    auto const ranks = static_cast<int>(random.between(30, 60));
    auto const planned = random_payloads(random, ranks, 3, static_cast<int>(random.between(0, 4)));
    Platform platform = machine(ranks);
    platform.ports = static_cast<int>(random.between(1, 10));
    auto const expected = reference_finish(ranks, planned, platform);
    Timing const timing = testing::simulate_native(schedule_of(ranks, planned), platform);
    for (int r = 0; r < ranks; ++r) {
      double const nanoseconds = expected[static_cast<std::size_t>(r)];
      ASSERT_NEAR(1e9 * finish(timing, r).value, nanoseconds, 1e-6) << "schedule " << i << ", rank " << r;
    }
  }
}

TEST(NativeRule, neighbor_exchanges_on_random_graphs_take_the_time_of_the_naive_reference) {
  Random random(5);
  for (int i = 0; i < 12; ++i) {
    int const ranks = 40;
    bool const in_order = i % 2 == 0;
    std::vector<PlannedMessage> planned;
    for (int round = 1; round <= 2; ++round) {
      for (int source = 0; source < ranks; ++source) {
        for (int target = 0; target < ranks; ++target) {
          if (target == source || random.below(8) != 0) continue;
          planned.push_back({source, target, round, round, 1000 * random.between(1, i < 6 ? 1 : 3)});
        }
      }
    }
    for (std::size_t j = planned.size(); !in_order && j-- > 1;) std::swap(planned[j], planned[random.below(j + 1)]);
    Platform platform = machine(ranks);
    platform.ports = 1 + i % 3;
    auto const expected = reference_finish(ranks, planned, platform);
    Timing const timing = testing::simulate_native(schedule_of(ranks, planned), platform);
    for (int r = 0; r < ranks; ++r) {
      double const nanoseconds = expected[static_cast<std::size_t>(r)];
      ASSERT_NEAR(1e9 * finish(timing, r).value, nanoseconds, 1e-6) << "schedule " << i << ", rank " << r;
    }
  }
}

TEST(NativeRule, broken_schedules_wait_where_the_naive_reference_waits) {
  Random random(2);
  int stuck = 0, ended = 0;
  for (int i = 0; i < 600; ++i) {
    auto const ranks = static_cast<int>(random.between(2, 6));
    auto planned = random_payloads(random, ranks, 3, 0);
    for (auto changes = random.between(0, 3); changes > 0 && !planned.empty(); --changes) {
      PlannedMessage& parcel = planned[random.below(planned.size())];
      (random.below(2) == 0 ? parcel.sent : parcel.received) =
          static_cast<int>(random.between(random.below(3) == 0 ? never : 1, 3));
    }
    Platform platform = machine(ranks);
    platform.ports = static_cast<int>(random.between(1, 2));
    auto const expected = reference_finish(ranks, planned, platform);
    Outcome const outcome = rondo::simulate_native(schedule_of(ranks, planned), platform, {});
    ASSERT_EQ(outcome.result.has_value(), !expected.empty()) << i << ": " << outcome.error;
    ++(expected.empty() ? stuck : ended);
    if (expected.empty()) {
      EXPECT_EQ(outcome.failure, Failure::deadlock);
      continue;
    }
    for (int r = 0; r < ranks; ++r) {
      ASSERT_NEAR(1e9 * finish(*outcome.result, r).value, expected[static_cast<std::size_t>(r)], 1e-6);
    }
  }
  EXPECT_GT(stuck, 50);
  EXPECT_GT(ended, 100);
}

TEST(NativeRule, the_same_schedule_takes_the_same_time_bit_for_bit) {
  Random random(3);
  auto const planned = random_payloads(random, 40, 6, 0);
  Platform platform = machine(40);
  platform.bandwidth = BytesPerSecond(3e9);
  Timing const first = testing::simulate_native(schedule_of(40, planned), platform);
  for (int i = 0; i < 5; ++i) {
    Timing const again = testing::simulate_native(schedule_of(40, planned), platform);
    EXPECT_EQ(again.makespan, first.makespan);
    EXPECT_EQ(again.finish, first.finish);
  }
}

TEST(NativeRule, refuses_what_it_does_not_run) {
  Schedule const schedule = schedule_of(4, {});
  Platform platform = machine(3);
  EXPECT_THROW(rondo::simulate_native(schedule, platform, {}), InputError);
  platform.topology = PlatformFile{"/nowhere/machine.xml", 0};
  EXPECT_THROW(rondo::simulate_native(schedule, platform, {}), InputError);
}

}  // namespace
}  // namespace rondo
