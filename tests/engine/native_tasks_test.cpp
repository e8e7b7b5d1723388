// Task graphs under linear timing; 1 us and 1 GB/s.

#include <gtest/gtest.h>

#include <cmath>

#include "native_schedules.hpp"
#include "schedules.hpp"

namespace rondo {
namespace {

using namespace testing;

std::vector<double> finish_us(char const* goal, int ports = 1) {
  TaskGraph const graph = read_goal(goal, "test");
  Platform platform = machine(graph.ranks());
  platform.ports = ports;
  Outcome const outcome = rondo::simulate_native(graph, platform, {});
  EXPECT_TRUE(outcome.result) << outcome.error;
  std::vector<double> result;
  if (!outcome.result) return result;
  for (Seconds const finish : outcome.result->finish) result.push_back(std::round(1e9 * finish.value) / 1e3);
  return result;
}

using Times = std::vector<double>;

TEST(NativeTasks, five_hundred_random_schedules_take_the_time_of_their_rounds) {
  Random random(31);
  for (int i = 0; i < 500; ++i) {
    auto const ranks = static_cast<int>(random.between(1, 7));
    Schedule const schedule =
        schedule_of(ranks, random_payloads(random, ranks, 4, static_cast<int>(random.between(0, 3))));
    Platform platform = machine(ranks);
    platform.ports = static_cast<int>(random.between(1, 3));
    if (random.below(4) == 0) platform.latency = Seconds(0);
    Timing const rounds = testing::simulate_native(schedule, platform);
    Outcome const tasks = rondo::simulate_native(lower(schedule), platform, {});
    ASSERT_TRUE(tasks.result) << tasks.error;
    EXPECT_EQ(tasks.result->messages, rounds.messages);
    EXPECT_EQ(tasks.result->bytes, rounds.bytes);
    for (int r = 0; r < ranks; ++r) {
      ASSERT_NEAR(1e9 * finish(*tasks.result, r).value, 1e9 * finish(rounds, r).value, 1e-6) << i << ", rank " << r;
    }
  }
}

TEST(NativeTasks, calculations_of_one_cpu_follow_each_other) {
  EXPECT_EQ(finish_us("num_ranks 1\nrank 0 { calc 3000; calc 4000 }"), (Times{7}));
  EXPECT_EQ(finish_us("num_ranks 1\nrank 0 { calc 3000; calc 4000 cpu 1 }"), (Times{4}));
}

TEST(NativeTasks, a_send_goes_on_while_its_rank_calculates) {
  EXPECT_EQ(finish_us("num_ranks 2\nrank 0 { calc 3000; send 4000b to 1 }\nrank 1 { recv 4000b from 0 }"),
            (Times{5, 5}));
}

TEST(NativeTasks, what_is_required_has_finished_or_only_started) {
  char const* const after =
      "num_ranks 2\nrank 0 { a: send 4000b to 1; b: calc 1000; b requires a }\nrank 1 { recv 4000b from 0 }";
  char const* const with =
      "num_ranks 2\nrank 0 { a: send 4000b to 1; b: calc 1000; b irequires a }\nrank 1 { recv 4000b from 0 }";
  EXPECT_EQ(finish_us(after), (Times{6, 5}));
  EXPECT_EQ(finish_us(with), (Times{5, 5}));
}

TEST(NativeTasks, messages_match_by_tag) {
  // The receive of tag 2 is posted first; the send of tag 1 waits until its receive is posted at 10.
  EXPECT_EQ(finish_us("num_ranks 2\nrank 0 { send 1000b to 1 tag 1; send 2000b to 1 tag 2 }\n"
                      "rank 1 { recv 2000b from 0 tag 2; c: calc 10000; r: recv 1000b from 0 tag 1; r requires c }"),
            (Times{12, 12}));
}

TEST(NativeTasks, a_rendezvous_may_deadlock_where_eager_sends_would_not) {
  TaskGraph const graph = read_goal(
      "num_ranks 2\nrank 0 { a: send 1b to 1; b: recv 1b from 1; b requires a }\n"
      "rank 1 { a: send 1b to 0; b: recv 1b from 0; b requires a }",
      "test");
  EXPECT_EQ(check(graph).count, 0);
  Outcome const outcome = rondo::simulate_native(graph, machine(2), {});
  EXPECT_EQ(outcome.failure, Failure::deadlock);
  EXPECT_TRUE(
      outcome.error.starts_with("deadlock: circular wait: rank 0's line 2 (send 1b to 1 tag 0) waits for rank 1's "
                                "line 3 (recv 1b from 0 tag 0), which waits for rank 1's line 3"))
      << outcome.error;
}

}  // namespace
}  // namespace rondo
