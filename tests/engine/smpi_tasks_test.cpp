// Task graphs on SMPI take the native engine's times; 1 us and 1 GB/s.

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "native_schedules.hpp"
#include "sanitized.hpp"
#include "schedules.hpp"

namespace rondo {
namespace {

using namespace testing;

void expect_equal_times(TaskGraph const& graph, Platform const& platform, std::string const& what) {
  Outcome const native = rondo::simulate_native(graph, platform, {});
  Outcome const smpi = rondo::simulate_smpi(graph, platform, {});
  ASSERT_TRUE(native.result) << what << native.error;
  ASSERT_TRUE(smpi.result) << what << smpi.error;
  EXPECT_EQ(native.result->messages, smpi.result->messages) << what;
  EXPECT_EQ(native.result->bytes, smpi.result->bytes) << what;
  EXPECT_SECONDS(native.result->makespan, smpi.result->makespan) << what;
  for (int r = 0; r < graph.ranks(); ++r) {
    EXPECT_NEAR(finish(*native.result, r).value, finish(*smpi.result, r).value, 1e-9 * smpi.result->makespan.value)
        << what << ", rank " << r;
  }
}

TEST(SmpiTasks, take_the_native_times_where_no_port_is_contended_for) {
  for (char const* goal : {
           "num_ranks 1\nrank 0 { calc 3000; calc 4000 }",
           "num_ranks 1\nrank 0 { calc 3000; calc 4000 cpu 1 }",
           "num_ranks 2\nrank 0 { calc 3000; send 4000b to 1 }\nrank 1 { recv 4000b from 0 }",
           "num_ranks 2\nrank 0 { a: send 10b to 1; b: calc 100; b irequires a }\nrank 1 { recv 10b from 0 }",
           "num_ranks 2\nrank 0 { a: send 0b to 1; b: calc 100; b requires a }\nrank 1 { a: calc 700; b: recv 0b from "
           "0; b requires a }",
           "num_ranks 3\nrank 0 { a: send 10b to 1 tag 4294967294; b: recv 9b from 2 }\nrank 1 { recv 10b from 0 tag "
           "4294967294 }\nrank 2 { a: calc 5000; b: send 9b to 0; b requires a }",
           // Longer than MPI counts at once: 2^31 ns and more.
           "num_ranks 2\nrank 0 { a: calc 5000000001; b: send 10b to 1; b requires a }\nrank 1 { recv 10b from 0 }",
       }) {
    TaskGraph const graph = read_goal(goal, "test");
    expect_equal_times(graph, machine(graph.ranks()), goal);
  }
}

/// A one-ported schedule as GOAL text, with calculations between tasks of different rounds.
std::string with_calculations(Random& random, Schedule const& schedule) {
  std::string text = fmt::format("num_ranks {}\n", schedule.ranks);
  for (int rank = 0; rank < schedule.ranks; ++rank) {
    TaskGraph const one = lower(schedule, Rank(rank));
    text += fmt::format("rank {} {{\n", rank);
    for (std::size_t i = 0; i < one.tasks.size(); ++i) {
      Task const& task = one.tasks[i];
      bool const sends = task.kind == TaskKind::send;
      text +=
          fmt::format("l{}: {} {}b {} {}\n", i, sends ? "send" : "recv", task.amount, sends ? "to" : "from", task.peer);
    }
    for (Requirement const& each : one.requirements) text += fmt::format("l{} requires l{}\n", each.task, each.on);
    for (std::size_t i = 0; i < one.tasks.size(); ++i) {
      if (random.below(2) == 0) continue;
      text += fmt::format("c{}: calc {} cpu {}\nc{} requires l{}\n", i, random.below(5000), random.below(2), i, i);
      // A round has at most two tasks.
      std::size_t const after = i + 2 + random.below(4);
      if (after < one.tasks.size()) text += fmt::format("l{} requires c{}\n", after, i);
    }
    text += "}\n";
  }
  return text;
}

TEST(SmpiTasks, random_one_ported_graphs_with_calculations_take_the_native_times) {
  Random random(61);
  for (int i = 0; i < 40 / test::thinned; ++i) {
    auto const ranks = static_cast<int>(random.between(2, 10));
    Schedule const schedule = schedule_of(ranks, random_payloads(random, ranks, 6, 1));
    Platform platform = machine(ranks);
    platform.envelope = 24_B;
    if (random.below(2) == 0) {
      platform.topology = Ring{ranks};
      platform.hop_latency = 130_ns;
    }
    std::string const goal = with_calculations(random, schedule);
    expect_equal_times(read_goal(goal, "test"), platform, fmt::format("{}: {}", i, goal));
  }
}

TEST(SmpiTasks, that_contend_for_ports_take_the_native_times) {
  Random random(62);
  for (int i = 0; i < 40 / test::thinned; ++i) {
    auto const ranks = static_cast<int>(random.between(3, 12));
    TaskGraph const graph = lower(schedule_of(ranks, random_payloads(random, ranks, 3, 0)));
    Platform platform = machine(ranks);
    platform.ports = static_cast<int>(random.between(1, 3));
    if (i % 2 == 0) {
      platform.topology = Ring{ranks};
      platform.links = LinkSharing::shared;
    }
    expect_equal_times(graph, platform, fmt::format("{}", i));
  }
}

TEST(SmpiTasks, run_where_bandwidth_is_shared) {
  // Ranks 0 and 1 of one host send to 2 and 3 of the other over one NIC: 2 us for 1000 B each after 1 us of start-up,
  // and 3 us of calculation before.
  Platform platform = machine(2);
  platform.ranks_per_host = 2;
  TaskGraph const graph = read_goal(
      "num_ranks 4\n"
      "rank 0 { a: calc 3000; b: send 1000b to 2; b requires a }\n"
      "rank 1 { a: calc 3000; b: send 1000b to 3; b requires a }\n"
      "rank 2 { recv 1000b from 0 }\n"
      "rank 3 { recv 1000b from 1; calc 500 }\n",
      "test");
  Outcome const outcome = rondo::simulate_smpi(graph, platform, {});
  ASSERT_TRUE(outcome.result) << outcome.error;
  EXPECT_SECONDS(outcome.result->makespan, Seconds(6e-6));
  EXPECT_EQ(outcome.result->messages, 2);
  EXPECT_EQ(outcome.result->bytes, 2000_B);
}

TEST(SmpiTasks, a_circular_wait_of_rendezvous_is_named) {
  TaskGraph const graph = read_goal(
      "num_ranks 2\n"
      "rank 0 { a: send 1b to 1; b: recv 1b from 1; b requires a }\n"
      "rank 1 { a: send 1b to 0; b: recv 1b from 0; b requires a }\n",
      "test");
  Outcome const outcome = rondo::simulate_smpi(graph, machine(2), {});
  EXPECT_EQ(outcome.failure, Failure::deadlock);
  EXPECT_EQ(outcome.error, rondo::simulate_native(graph, machine(2), {}).error);
}

TEST(SmpiTasks, a_circle_of_requirements_is_a_deadlock) {
  TaskGraph const graph = read_goal("num_ranks 1\nrank 0 { a: calc 1; b: calc 2; a requires b; b requires a }", "test");
  EXPECT_EQ(rondo::simulate_smpi(graph, machine(1), {}).failure, Failure::deadlock);
}

TEST(SmpiTasks, what_smpi_does_not_carry_is_refused) {
  auto const refusal = [](char const* goal, Platform const& platform) -> std::string {
    try {
      rondo::simulate_smpi(read_goal(goal, "test"), platform, {});
    } catch (InputError const& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal("num_ranks 1\nrank 0 { send 1b to 0; recv 1b from 0 }", machine(1)),
            "rank 0's line 2 (send 1b to 0 tag 0) is a message of a rank to itself: expected the engine \"native\"");
  EXPECT_EQ(refusal("num_ranks 1\nrank 0 { calc 1000000000001 }", machine(1)),
            "rank 0's line 2 (calc 1000000000001) takes more than 1000 s: expected the engine \"native\"");
  Platform file = machine(64);
  file.topology = PlatformFile{RONDO_SOURCE_DIR "/platforms/ring-64.xml"};
  EXPECT_EQ(refusal("num_ranks 2\nrank 0 { calc 1 }", file),
            "rank 0's line 2 (calc 1) is a calculation, which a SimGrid platform file has no place for: expected the "
            "engine \"native\"");
  EXPECT_EQ(refusal("num_ranks 2\nrank 0 { send 8b to 1 }\nrank 1 { recv 8b from 0 }", file), "");
}

}  // namespace
}  // namespace rondo
