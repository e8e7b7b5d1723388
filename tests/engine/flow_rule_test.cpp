// Flow timing against what its special cases are known to take. In the examples: 1 us and 1 GB/s, so that a byte takes
// a nanosecond, sends cost 300 ns and receives 200 ns.

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "generate/generate.hpp"
#include "native_schedules.hpp"
#include "problems.hpp"
#include "random_machines.hpp"
#include "schedules.hpp"

namespace rondo {
namespace {

using namespace testing;

Platform flow_machine(int hosts) {
  Platform platform = machine(hosts);
  platform.timing = TimingModel::flow;
  return platform;
}

struct FlowExample {
  char const* name;
  int ranks;
  Bytes eager;
  Seconds match;
  std::vector<PlannedMessage> planned;
  std::vector<double> finish_ns;
};

std::vector<FlowExample> const flow_examples{
    {"one message that waits for its receive: both ends end together",
     2,
     0_B,
     0_ns,
     {{0, 1, 1, 1, 3000}},
     {4500, 4500}},
    {"one that does not: its send ends with its overhead", 2, 3000_B, 0_ns, {{0, 1, 1, 1, 3000}}, {300, 4500}},
    {"sends cost the CPU one after the other, and share the NIC",
     3,
     5000_B,
     0_ns,
     // The first flows alone from 1300 to 1600, then both at half speed: the first's 700 bytes until 3000, when the
     // second has 1300 left.
     {{0, 1, 1, 1, 1000}, {0, 2, 1, 1, 2000}},
     {600, 3200, 4500}},
    {"receives cost the CPU in the order of arrival",
     4,
     5000_B,
     0_ns,
     // Empty messages arrive at 1300, all at once.
     {{1, 0, 1, 1, 0}, {2, 0, 1, 1, 0}, {3, 0, 1, 1, 0}},
     {1900, 300, 300, 300}},
    {"a message that came too early is taken as its receive is posted",
     3,
     5000_B,
     0_ns,
     // 1 waits for 2 until 5500: 2's bytes go off at 300, flow from 1300 to 5300. 0's empty message came at 1300.
     {{2, 1, 1, 1, 4000}, {0, 1, 2, 2, 0}},
     {300, 5700, 300}},
    {"what comes too early searches in vain what waits, and is found later",
     3,
     5000_B,
     10_ns,
     // At 1300 0's message searches one receive in vain, until 1310. At 5300 2's arrives and searches one entry, until
     // 5510 with taking it. Then the receive searches one early message, and takes it: 5720.
     {{2, 1, 1, 1, 4000}, {0, 1, 2, 2, 0}},
     {300, 5720, 300}},
    {"an arrival searches the receives that wait in their order",
     3,
     5000_B,
     10_ns,
     // Messages of 1 and 2 arrive at 1300, that of 1 first; its receive was posted second.
     {{2, 0, 1, 1, 0}, {1, 0, 1, 1, 0}},
     // 2 entries and taking it until 1520, then 1 entry.
     {1730, 300, 300}},
};

TEST(FlowRule, examples_with_derived_times) {
  for (FlowExample const& example : flow_examples) {
    Platform platform = flow_machine(example.ranks);
    platform.flow = {.o_send = 300_ns, .o_recv = 200_ns, .match = example.match, .eager = example.eager};
    Timing const timing = testing::simulate_native(schedule_of(example.ranks, example.planned), platform);
    auto const reference = reference_flow_finish(example.ranks, example.planned, platform);
    for (int r = 0; r < example.ranks; ++r) {
      double const due = example.finish_ns[static_cast<std::size_t>(r)];
      EXPECT_NEAR(1e9 * finish(timing, r).value, due, 1e-6) << example.name << ", rank " << r;
      EXPECT_DOUBLE_EQ(reference[static_cast<std::size_t>(r)], due) << example.name << ", rank " << r;
    }
  }
}

/// A message alone, without CPU costs, takes what it takes under linear timing, on any machine.
TEST(FlowRule, one_message_alone_takes_what_linear_timing_says) {
  for (int to = 1; to < 24; ++to) {
    for (std::int64_t const bytes : {0, 1, 1000, 1'000'000}) {
      Platform platform = machine(1);
      platform.topology = TorusMachine{Torus({3, 4})};
      platform.hop_latency = 130_ns;
      platform.ranks_per_host = 2;
      platform.links = LinkSharing::shared;
      platform.intra_latency = 250_ns;
      platform.intra_bandwidth = 4_GBps;
      platform.link_bandwidth = BytesPerSecond(to % 2 == 0 ? 5e8 : 2e9);
      platform.envelope = 24_B;
      Schedule const schedule = schedule_of(24, {{0, to, 1, 1, bytes}});
      Seconds const linear = testing::simulate_native(schedule, platform).makespan;
      platform.timing = TimingModel::flow;
      for (Bytes const eager : {0_B, 2000_B}) {
        platform.flow.eager = eager;
        EXPECT_SECONDS(testing::simulate_native(schedule, platform).makespan, linear);
      }
    }
  }
}

/// A node of 16 ranks: n bytes of each share one NIC, so that all take latency + 16 n / bandwidth. Within the node they
/// share the memory.
TEST(FlowRule, sixteen_ranks_share_the_nic_of_their_node) {
  for (int const ports : {1, 2, 16, 20}) {
    for (std::int64_t const bytes : {1000, 123'457}) {
      Platform platform = flow_machine(2);
      platform.ports = ports;
      platform.ranks_per_host = 16;
      platform.intra_latency = 300_ns;
      platform.intra_bandwidth = 8_GBps;
      std::vector<PlannedMessage> across, within;
      for (int r = 0; r < 16; ++r) {
        across.push_back({r, 16 + r, 1, 1, bytes});
        within.push_back({r, (r + 1) % 16, 1, 1, bytes});
      }
      double const n = static_cast<double>(bytes);
      double const slowed = std::max(1.0, 16.0 / ports);
      EXPECT_SECONDS(testing::simulate_native(schedule_of(32, across), platform).makespan,
                     1_us + Seconds(slowed * n / 1e9));
      EXPECT_SECONDS(testing::simulate_native(schedule_of(32, within), platform).makespan,
                     300_ns + Seconds(16 * n / 8e9));
    }
  }
}

/// Where no two messages meet on a NIC, eager ones take what the LogGP engine says, which counts the bytes after the
/// first: a binomial tree of ranks that pass on what they get, on CPUs that are slower than the NICs.
TEST(FlowRule, without_contention_it_is_LogGP) {
  for (int const ranks : {2, 16, 37}) {
    for (std::int64_t const bytes : {1, 100, 900}) {
      Platform flow = flow_machine(ranks);
      flow.latency = 2500_ns;
      flow.flow = {.o_send = 1_us, .o_recv = 1_us, .eager = 1_MiB};
      Platform loggp = machine(ranks);
      loggp.timing = TimingModel::loggp;
      loggp.loggp = {.L = 2500_ns, .o = 1_us, .g = 0_ns, .G = 1_ns, .O = 0_ns, .S = 1_MiB};
      auto const tree = [&](std::int64_t size) {
        std::vector<PlannedMessage> planned;
        int round = 1;
        for (int distance = 1; distance < ranks; distance *= 2, ++round) {
          for (int r = 0; r < distance && r + distance < ranks; ++r)
            planned.push_back({r, r + distance, round, round, size});
        }
        return schedule_of(ranks, planned);
      };
      // The receiver's CPU is held while the bytes come, o + (n - 1) G, and the sender sends no sooner for that.
      double const depth = std::ceil(std::log2(ranks));
      Seconds const measured = testing::simulate_native(tree(bytes), flow).makespan;
      EXPECT_SECONDS(testing::simulate_native(tree(bytes + 1), loggp).makespan, measured);
      if (std::exp2(depth) == ranks) {
        EXPECT_SECONDS(measured, depth * (4500_ns + Seconds(1e-9 * static_cast<double>(bytes))));
      }
    }
  }
}

/// Rounds with one message each way, without CPU costs: D latencies and the bytes of each round, as linear timing has
/// it, and in any one-ported schedule whatever linear timing says.
TEST(FlowRule, one_ported_rounds_take_what_linear_timing_says) {
  Torus const torus({4, 5});
  auto const problem = test::alltoall(torus, moore(2, 1), 700_B, {0, 1});
  Schedule const straightforward = generate::isomorphic_straightforward(problem);
  EXPECT_SECONDS(testing::simulate_native(straightforward, flow_machine(20)).makespan, 8 * (1_us + 700_ns));
  Random random(5);
  for (int i = 0; i < 300; ++i) {
    auto const ranks = static_cast<int>(random.between(2, 12));
    auto planned = random_payloads(random, ranks, static_cast<int>(random.between(1, 5)), 1);
    // Empty ones would not wait for their receives.
    for (PlannedMessage& each : planned) ++each.bytes;
    Schedule const schedule = schedule_of(ranks, planned);
    Timing const linear = testing::simulate_native(schedule, machine(ranks));
    Timing const flow = testing::simulate_native(schedule, flow_machine(ranks));
    for (int r = 0; r < ranks; ++r) ASSERT_NEAR(finish(flow, r).value, finish(linear, r).value, 1e-15) << i;
  }
}

/// Rank 0 joins 1000 B before its first round until 500, and sends 3000 B: offered at 800, arrived at 4800, taken at
/// 5000. Rank 1 joins them as they come or by a copy, in a later round without messages, 1500 more.
TEST(FlowRule, joins_take_the_cpu_when_a_round_has_ended) {
  Platform platform = flow_machine(2);
  platform.flow = {.o_send = 300_ns, .o_recv = 200_ns};
  platform.reduce = Seconds(5e-10);
  Place const place[] = {receive_slot(0)}, large[] = {receive_slot(1)};
  Layout layout;
  layout.block = 1_B;
  layout[Buffer::receive] = {2, {1000_B, 3000_B}};
  for (bool const by_copy : {false, true}) {
    ProgramBuilder first(layout), second(layout);
    first.copy(place[0], place[0], Join::before);
    first.begin_round();
    first.send(1, large);
    second.begin_round();
    second.receive(0, large, by_copy ? Join::none : Join::after);
    if (by_copy) {
      second.begin_round();
      second.copy(large[0], large[0], Join::after);
    }
    Schedule schedule;
    schedule.ranks = 2;
    schedule.programs.push_back(std::move(first).finish());
    schedule.programs.push_back(std::move(second).finish());
    schedule.program_of = {0, 1};
    for (Timing const& timing : {testing::simulate_native(schedule, platform), smpi_timing(schedule, platform)}) {
      EXPECT_SECONDS(finish(timing, 0), 5000_ns) << by_copy;
      EXPECT_SECONDS(finish(timing, 1), 6500_ns) << by_copy;
    }
  }
}

/// A CPU that joins takes no message: what arrives meanwhile waits for it.
TEST(FlowRule, joins_keep_arrived_messages_waiting) {
  Platform platform = flow_machine(3);
  platform.flow = {.o_send = 300_ns, .o_recv = 200_ns, .eager = 5000_B};
  platform.reduce = 1_ns;
  Layout layout;
  layout.block = 1000_B;
  layout[Buffer::receive].slots = 1;
  Place const place[] = {receive_slot(0)};
  ProgramBuilder root(layout), one(layout), two(layout);
  root.begin_round();
  root.receive(1, place, Join::after);
  root.begin_round();
  root.receive(2, place, Join::after);
  one.begin_round();
  one.send(0, place);
  two.begin_round();
  two.begin_round();
  two.send(0, place);
  Schedule schedule;
  schedule.ranks = 3;
  for (ProgramBuilder* builder : {&root, &one, &two}) schedule.programs.push_back(std::move(*builder).finish());
  schedule.program_of = {0, 1, 2};
  // Both share the NIC into host 0: 2000 B from 1300 to 3300. The first is taken at 3500, the join lasts until 4500.
  // Only then the CPU turns to the second, which is taken at 4700 and joined at 5700.
  for (Timing const& timing : {testing::simulate_native(schedule, platform), smpi_timing(schedule, platform)}) {
    EXPECT_SECONDS(finish(timing, 0), 5700_ns);
    EXPECT_SECONDS(finish(timing, 1), 300_ns);
  }
}

/// Ranks that wait for ever are told of, and a send that waits for nobody is no reason.
TEST(FlowRule, deadlocks_are_failures) {
  Platform platform = flow_machine(3);
  Outcome const circle =
      rondo::simulate_native(schedule_of(2, {{0, 1, 1, 2, 8}, {1, 0, 1, 2, 8}}), flow_machine(2), {});
  ASSERT_FALSE(circle.result);
  EXPECT_EQ(circle.failure, Failure::deadlock);
  EXPECT_EQ(circle.error,
            "deadlock: circular wait: rank 0 waits in round 1 for rank 1, rank 1 waits in round 1 for rank 0");
  platform.flow.eager = 8_B;
  EXPECT_SECONDS(testing::simulate_native(schedule_of(2, {{0, 1, 1, 2, 8}, {1, 0, 1, 2, 8}}), platform).makespan,
                 1_us + 8_ns);
  Outcome const never_sent =
      rondo::simulate_native(schedule_of(3, {{0, 1, never, 1, 8}, {2, 0, 1, never, 8}}), platform, {});
  ASSERT_FALSE(never_sent.result);
  EXPECT_EQ(never_sent.error,
            "deadlock: rank 1 waits in round 1 for rank 0, which never posts the matching send or receive");
}

}  // namespace
}  // namespace rondo
