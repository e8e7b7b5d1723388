// LogGP times against LogGOPSim's, recorded in tests/data/loggopsim.json, and against times derived by hand.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "native_schedules.hpp"
#include "schedules.hpp"

namespace rondo {
namespace {

using namespace testing;

Seconds nanoseconds(double count) { return Seconds(1e-9 * count); }

Platform loggp(int hosts, LogGp const& model) {
  Platform platform = machine(hosts);
  platform.timing = TimingModel::loggp;
  platform.loggp = model;
  return platform;
}

LogGp model_of(nlohmann::json const& parameters) {
  auto const time = [&](char const* name) { return nanoseconds(parameters.at(name).get<double>()); };
  return {time("L"), time("o"), time("g"), time("G"), time("O"), Bytes(parameters.at("S").get<std::int64_t>())};
}

std::vector<std::int64_t> finish_nanoseconds(Timing const& timing) {
  std::vector<std::int64_t> result;
  for (Seconds const finish : timing.finish) result.push_back(std::llround(1e9 * finish.value));
  return result;
}

Timing run(TaskGraph const& graph, LogGp const& model) {
  Outcome const outcome = rondo::simulate_native(graph, loggp(graph.ranks(), model), {});
  EXPECT_TRUE(outcome.result) << outcome.error;
  return outcome.result.value_or(Timing{});
}

/// A latency that takes all of a double is no time of 0.
TEST(LogGp, times_that_no_number_holds_are_a_failure) {
  LogGp const model{Seconds(1e308), Seconds(1.7e308), Seconds(1.7e308), Seconds(1e308), Seconds(0), Bytes(65535)};
  TaskGraph const graph =
      read_goal("num_ranks 2\nrank 0 {\nl1: send 64b to 1\n}\nrank 1 {\nl1: recv 64b from 0\n}\n", "g");
  Outcome const outcome = rondo::simulate_native(graph, loggp(2, model), {});
  ASSERT_FALSE(outcome.result);
  EXPECT_EQ(outcome.failure, Failure::overflow);
  EXPECT_EQ(to_string(outcome.failure), "overflow");
}

TEST(LogGp, recorded_runs_of_LogGOPSim_take_the_same_time_to_the_nanosecond) {
  std::ifstream file(RONDO_TEST_DATA "/loggopsim.json");
  auto const recorded = nlohmann::json::parse(file);
  for (auto const& each : recorded.at("cases")) {
    TaskGraph const graph = read_goal(each.at("goal").get<std::string>(), each.at("name"));
    EXPECT_EQ(check(graph).count, 0) << each.at("name");
    Timing const timing = run(graph, model_of(each.at("parameters")));
    EXPECT_EQ(finish_nanoseconds(timing), each.at("times").get<std::vector<std::int64_t>>()) << each.at("name");
  }
  EXPECT_GE(recorded.at("cases").size(), 100U);
}

LogGp const model{nanoseconds(1000), nanoseconds(200), nanoseconds(300), nanoseconds(2), nanoseconds(1), 100_B};

TEST(LogGp, an_eager_message_takes_two_overheads_the_latency_and_its_bytes) {
  // The sender's CPU: o + 9 O = 209. The first byte arrives at o + L = 1200; the receiver: o + 9 G = 218 more.
  EXPECT_EQ(finish_nanoseconds(run(lower(schedule_of(2, {{0, 1, 1, 1, 10}})), model)),
            (std::vector<std::int64_t>{209, 1418}));
}

TEST(LogGp, a_rendezvous_holds_the_sender_until_its_message_is_met) {
  // 201 B arrive at 1200. The receiver calculates until 5000 and then posts: the sender goes on at 5000.
  TaskGraph const graph = read_goal(
      "num_ranks 2\nrank 0 { l1: send 201b to 1 tag 7; l2: calc 30; l2 requires l1 }\n"
      "rank 1 { l1: calc 5000; l2: recv 201b from 0 tag 7; l2 requires l1 }\n",
      "test");
  // The message is taken in at 5000, when the CPU is free: o + 200 G = 600.
  EXPECT_EQ(finish_nanoseconds(run(graph, model)), (std::vector<std::int64_t>{5030, 5600}));
}

TEST(LogGp, an_empty_message_counts_as_one_byte) {
  auto const time = [](std::int64_t bytes) {
    return finish_nanoseconds(run(lower(schedule_of(2, {{0, 1, 1, 1, bytes}})), model));
  };
  EXPECT_EQ(time(0), time(1));
}

TEST(LogGp, a_task_waits_for_what_it_requires_on_another_cpu) {
  TaskGraph const graph = read_goal(
      "num_ranks 1\nrank 0 {\nl1: calc 100\nl2: calc 50 cpu 1\nl2 requires l1\nl3: calc 7 cpu 1\n}\n", "test");
  EXPECT_EQ(finish_nanoseconds(run(graph, model)), (std::vector<std::int64_t>{150}));
}

// Each of 1000 messages holds the NIC for 999 B of 0.0333 ns, and the CPU for less. The last one starts when 999 have
// gone, and holds the CPU for 1 ns. Elsewhere a rank calculates for 1000 s.
TEST(LogGp, a_long_task_makes_no_other_time_coarser) {
  std::string text = "num_ranks 3\nrank 0 {\nl1: calc 1000000000000\n}\nrank 1 {\n";
  for (int i = 1; i <= 1000; ++i) text += fmt::format("l{}: send 1000b to 2\n", i);
  text += "}\nrank 2 {\n";
  for (int i = 1; i <= 1000; ++i) text += fmt::format("l{}: recv 1000b from 1\n", i);
  text += "}\n";
  LogGp const fine{nanoseconds(1000), nanoseconds(1), Seconds(0), nanoseconds(0.0333), Seconds(0), 65535_B};
  double const due = 1e-9 * (999 * 999 * 0.0333 + 1);
  EXPECT_NEAR(run(read_goal(text, "test"), fine).finish[1].value, due, 1e-12 * due);
}

TEST(LogGp, schedules_are_timed_as_their_tasks) {
  Random random(21);
  for (int i = 0; i < 100; ++i) {
    auto const ranks = static_cast<int>(random.between(2, 6));
    Schedule const schedule = schedule_of(ranks, random_payloads(random, ranks, 3, 0));
    Outcome const outcome = rondo::simulate_native(schedule, loggp(ranks, model), {});
    ASSERT_TRUE(outcome.result);
    EXPECT_EQ(outcome.result->finish, run(lower(schedule), model).finish);
  }
}

TEST(LogGp, a_rank_stands_for_all_exactly_or_not_at_all) {
  Random random(22);
  int by_representative = 0;
  for (int i = 0; i < 500; ++i) {
    Torus const torus({static_cast<int>(random.between(2, 4)), static_cast<int>(random.between(1, 4))});
    Schedule const schedule = random_isomorphic(random, torus, 4, static_cast<int>(random.between(1, 3)));
    // Round numbers make events coincide.
    auto const some = [&] { return nanoseconds(static_cast<double>(500 * random.between(0, 4) + random.below(2))); };
    LogGp const drawn{some(),
                      some(),
                      some(),
                      Seconds(0),
                      nanoseconds(static_cast<double>(random.below(2))),
                      random.below(5) == 0 ? 1000_B : 1_MiB};
    Outcome const one = rondo::simulate_native(schedule, loggp(torus.size(), drawn), {});
    Timing const all = run(lower(schedule), drawn);
    ASSERT_TRUE(one.result);
    EXPECT_EQ(one.result->makespan, all.makespan) << i;
    EXPECT_EQ(one.result->messages, all.messages);
    for (int r = 0; r < torus.size(); ++r) {
      ASSERT_NEAR(1e9 * finish(*one.result, r).value, 1e9 * finish(all, r).value, 1e-6) << i;
    }
    by_representative += one.result->finish.size() == 1 ? 1 : 0;
  }
  EXPECT_GT(by_representative, 100);
  EXPECT_LT(by_representative, 490);
}

TEST(LogGp, tasks_left_waiting_are_a_deadlock) {
  TaskGraph const graph = read_goal(
      "num_ranks 2\nrank 0 { l1: recv 1b from 1; l2: send 1b to 1; l2 requires l1 }\n"
      "rank 1 { l1: recv 1b from 0; l2: send 1b to 0; l2 requires l1 }\n",
      "test");
  Outcome const outcome = rondo::simulate_native(graph, loggp(2, model), {});
  EXPECT_EQ(outcome.failure, Failure::deadlock);
  EXPECT_EQ(
      outcome.error,
      "deadlock: circular wait: rank 0's line 2 (recv 1b from 1 tag 0) waits for rank 1's line 3 (send 1b to 0 tag 0), "
      "which waits for rank 1's line 3 (recv 1b from 0 tag 0), which waits for rank 0's line 2 (send 1b to 1 tag 0), "
      "which waits for rank 0's line 2 (recv 1b from 1 tag 0)");
}

}  // namespace
}  // namespace rondo
