// Ranks that come late (docs/model.md): both engines, and the rules carried out in exact fractions, give one time.

#include <gtest/gtest.h>

#include <algorithm>

#include "base/ids.hpp"
#include "library_schedules.hpp"
#include "native_schedules.hpp"
#include "random_machines.hpp"
#include "sanitized.hpp"
#include "schedules.hpp"

namespace rondo {
namespace {

using namespace testing;
using Arrivals = std::vector<Seconds>;

Timing late_natively(Schedule const& schedule, Platform const& platform, Arrivals const& arrival) {
  EngineOptions options;
  options.arrival = arrival;
  Outcome const outcome = rondo::simulate_native(schedule, platform, options);
  EXPECT_TRUE(outcome.result) << outcome.error;
  return outcome.result.value_or(Timing{});
}

Timing late_on_smpi(Schedule const& schedule, Platform const& platform, Arrivals const& arrival) {
  EngineOptions options;
  options.payload = Payload::timing;
  options.arrival = arrival;
  Collective const promise = IsomorphicAlltoall{Torus({schedule.ranks}), Neighborhood(1, {{1}})};
  Outcome const outcome = rondo::simulate_smpi(schedule, promise, platform, options);
  EXPECT_TRUE(outcome.result) << outcome.error;
  return outcome.result.value_or(Timing{});
}

void expect_same_arrived(Timing const& native, Timing const& smpi, int ranks) {
  ASSERT_EQ(native.messages, smpi.messages);
  ASSERT_EQ(native.bytes, smpi.bytes);
  for (int rank = 0; rank < ranks; ++rank) {
    ASSERT_NEAR(finish(native, rank).value, finish(smpi, rank).value, 1e-9 * smpi.makespan.value) << "rank " << rank;
  }
}

/// Whole nanoseconds, many of them equal, some of them the ends of other ranks' messages.
Arrivals random_arrivals(Random& random, int ranks) {
  Arrivals arrival;
  auto const kind = random.below(4);
  for (int rank = 0; rank < ranks; ++rank) {
    std::uint64_t time = random.below(20000);
    if (kind == 1) time = 1000 * random.below(5);
    if (kind == 2) time = random.below(3) == 0 ? 7300 : 0;
    if (kind == 3) time = rank == ranks - 1 ? 50000 : 0;
    arrival.emplace_back(static_cast<double>(time) / 1e9);
  }
  return arrival;
}

void expect_due_times(std::vector<double> const& nanoseconds, Timing const& timing, std::string const& what) {
  for (std::size_t rank = 0; rank < nanoseconds.size(); ++rank) {
    double const due = nanoseconds[rank];
    ASSERT_NEAR(1e9 * finish(timing, static_cast<int>(rank)).value, due, 1e-9 * due) << what << ", rank " << rank;
  }
}

// 1 us and 1 GB/s: a message of b kB holds its ports for 1 + b us.

TEST(Arrival, a_message_starts_when_the_later_end_has_come) {
  auto const schedule = schedule_of(3, {{0, 1, 1, 1, 3000}, {1, 2, 2, 2, 1000}});
  // 1 comes at 10 and has received at 14, when 2 has long been there; 2 has received at 16.
  Arrivals const arrival{2_us, 10_us, 5_us};
  for (Timing const& timing :
       {late_natively(schedule, machine(3), arrival), late_on_smpi(schedule, machine(3), arrival)}) {
    EXPECT_SECONDS(finish(timing, 0), 14_us);
    EXPECT_SECONDS(finish(timing, 1), 16_us);
    EXPECT_SECONDS(finish(timing, 2), 16_us);
    EXPECT_SECONDS(timing.makespan, 16_us);
  }
}

TEST(Arrival, a_rank_without_messages_ends_when_it_comes) {
  auto const schedule = schedule_of(3, {{0, 1, 1, 1, 3000}});
  Arrivals const arrival{0_us, 0_us, 9_us};
  for (Timing const& timing :
       {late_natively(schedule, machine(3), arrival), late_on_smpi(schedule, machine(3), arrival)}) {
    EXPECT_SECONDS(finish(timing, 1), 4_us);
    EXPECT_SECONDS(finish(timing, 2), 9_us);
    EXPECT_SECONDS(timing.makespan, 9_us);
  }
}

TEST(Arrival, of_equal_ones_the_port_serves_who_was_ready_first) {
  // 3 comes before 2, so its message to 1 is ready first, though 2 is the lower source.
  auto const schedule = schedule_of(4, {{0, 1, 1, 1, 9000}, {2, 1, 1, 1, 1000}, {3, 1, 1, 1, 2000}});
  Arrivals const arrival{0_us, 0_us, 4_us, 3_us};
  for (Timing const& timing :
       {late_natively(schedule, machine(4), arrival), late_on_smpi(schedule, machine(4), arrival)}) {
    EXPECT_SECONDS(finish(timing, 3), 13_us);
    EXPECT_SECONDS(finish(timing, 2), 15_us);
  }
}

TEST(Arrival, an_eager_message_waits_for_the_cpu_of_a_rank_that_is_away) {
  Platform platform = machine(2);
  platform.timing = TimingModel::flow;
  platform.flow = {.o_send = 300_ns, .o_recv = 500_ns, .match = 100_ns, .eager = 8_KiB};
  auto const schedule = schedule_of(2, {{0, 1, 1, 1, 1000}});
  // It arrives at 2.3 us. At 5 us rank 1 posts its receive, which looks at nothing; then its CPU looks at one receive
  // and takes the message.
  Arrivals const arrival{0_us, 5_us};
  for (Timing const& timing : {late_natively(schedule, platform, arrival), late_on_smpi(schedule, platform, arrival)}) {
    EXPECT_SECONDS(finish(timing, 0), 300_ns);
    EXPECT_SECONDS(finish(timing, 1), 5600_ns);
  }
}

TEST(Arrival, cpus_of_loggp_are_taken_until_their_rank_comes) {
  Platform platform = machine(2);
  platform.timing = TimingModel::loggp;
  platform.loggp = {.L = 2_us, .o = 1_us, .g = 1_us, .G = Seconds(0), .O = Seconds(0), .S = 1_MiB};
  // Sent at 3 us by a CPU that takes 1 us, it is there at 6 us; rank 1 takes it from 9 us on, for 1 us.
  Timing const timing = late_natively(schedule_of(2, {{0, 1, 1, 1, 8}}), platform, {3_us, 9_us});
  EXPECT_SECONDS(finish(timing, 0), 4_us);
  EXPECT_SECONDS(finish(timing, 1), 10_us);
}

TEST(Arrival, tasks_begin_when_their_rank_comes) {
  char const* const goal =
      "num_ranks 2\nrank 0 { c: calc 3000; s: send 4000b to 1; s requires c }\nrank 1 { recv 4000b from 0 }";
  TaskGraph const graph = read_goal(goal, "test");
  EngineOptions options;
  options.arrival = {2_us, 1_us};
  Outcome const native = rondo::simulate_native(graph, machine(2), options);
  ASSERT_TRUE(native.result) << native.error;
  EXPECT_SECONDS(finish(*native.result, 1), 10_us);
  Outcome const smpi = rondo::simulate_smpi(graph, machine(2), options);
  ASSERT_TRUE(smpi.result) << smpi.error;
  EXPECT_SECONDS(finish(*smpi.result, 1), 10_us);
}

TEST(Arrival, at_0_of_all_ranks_changes_no_bit) {
  Random random(11);
  for (NamedSchedule const& each : library_schedules(700_B)) {
    for (Platform const& platform : {machine(library_ranks), [] {
                                       Platform flow = machine(library_ranks);
                                       flow.timing = TimingModel::flow;
                                       flow.flow.o_send = 300_ns;
                                       return flow;
                                     }()}) {
      Arrivals const all_at_0(at(each.schedule.ranks), Seconds(0));
      Timing const plain = testing::simulate_native(each.schedule, platform);
      Timing const stated = late_natively(each.schedule, platform, all_at_0);
      ASSERT_EQ(plain.makespan, stated.makespan) << each.name;
      for (int r = 0; r < each.schedule.ranks; ++r) ASSERT_EQ(finish(plain, r), finish(stated, r)) << each.name;
    }
  }
}

TEST(Arrival, takes_the_times_of_the_rules_in_exact_fractions) {
  for (int seed = 1; seed <= 400 / test::sampled; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    bool const flow = seed % 2 == 0;
    Platform const platform = flow ? random_flow_machine(random) : random_machine(random);
    auto const ranks = static_cast<int>(rondo::ranks(platform));
    auto planned = random_messages(random, ranks);
    if (planned.size() > 40) planned.resize(40);
    Arrivals const arrival = random_arrivals(random, ranks);
    auto const due = flow ? reference_flow_finish(ranks, planned, platform, arrival)
                          : reference_finish(ranks, planned, platform, arrival);
    Schedule const schedule = schedule_of(ranks, planned);
    ASSERT_EQ(due.size(), at(ranks));
    expect_due_times(due, late_natively(schedule, platform, arrival), "native, seed " + std::to_string(seed));
    expect_due_times(due, late_on_smpi(schedule, platform, arrival), "smpi, seed " + std::to_string(seed));
  }
}

TEST(LongArrival, native_and_smpi_agree_on_a_thousand_random_schedules) {
  for (int seed = 1001; seed <= 1000 + 1000 / test::thinned; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    Platform platform = seed % 2 == 0 ? random_flow_machine(random) : random_machine(random);
    if (seed % 3 == 0) platform = with_insides(random, platform);
    auto const ranks = static_cast<int>(rondo::ranks(platform));
    Schedule const schedule = schedule_of(ranks, random_messages(random, ranks));
    Arrivals const arrival = random_arrivals(random, ranks);
    expect_same_arrived(late_natively(schedule, platform, arrival), late_on_smpi(schedule, platform, arrival), ranks);
    ASSERT_FALSE(::testing::Test::HasFailure()) << "seed " << seed;
  }
}

/// Rounds that are added up, and the same ones as events: a log is kept of these alone.
TEST(Arrival, one_ported_rounds_take_the_times_of_events) {
  Random random(13);
  for (int i = 0; i < 200; ++i) {
    auto const ranks = static_cast<int>(random.between(1, 8));
    Schedule const schedule = schedule_of(ranks, random_payloads(random, ranks, 4, 1));
    EngineOptions options;
    options.arrival = random_arrivals(random, ranks);
    Outcome const added = rondo::simulate_native(schedule, machine(ranks), options);
    options.log = Log::messages;
    Outcome const followed = rondo::simulate_native(schedule, machine(ranks), options);
    ASSERT_TRUE(added.result && followed.result);
    for (int r = 0; r < ranks; ++r) {
      double const due = finish(*followed.result, r).value;
      ASSERT_NEAR(finish(*added.result, r).value, due, 1e-12 * due);
    }
  }
}

}  // namespace
}  // namespace rondo
