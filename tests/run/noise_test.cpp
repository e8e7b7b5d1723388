// Noise and replications in records: statistics against closed forms, and what is as it was without them.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "run/families.hpp"
#include "run/points/replications.hpp"
#include "run/points/robust.hpp"

namespace rondo {
namespace {

using namespace testing;

std::string const noisy_ring = R"({"kind": "allgather", "ranks": 8})";

Json with_noise(std::string const& noise, int replications, std::string const& more = "{}") {
  Json json = Json::parse(more);
  json["machine"]["noise"] = Json::parse(noise);
  json["replications"] = replications;
  return json;
}

Record noisy_record(Json const& more, std::string const& engine = "native", std::string const& collective = noisy_ring,
                    std::string const& algorithm = "ring") {
  Record record = record_of({.collective = collective, .more = more.dump()}, algorithm, engine);
  EXPECT_EQ(record.error.value_or(""), "") << more;
  return record;
}

Json without_what_differs(Record const& record) {
  Json json = to_json(record);
  for (char const* key : {"wall_s", "setup_wall_s", "expanded"}) json.erase(key);
  return json;
}

TEST(Replications, take_the_nearest_rank_as_percentile) {
  std::vector<double> times;
  for (int i = 100; i >= 1; --i) times.push_back(i);
  Spread const hundred = spread_of(times);
  EXPECT_EQ(hundred.p50, 50);
  EXPECT_EQ(hundred.p95, 95);
  EXPECT_EQ(hundred.max, 100);
  EXPECT_EQ(hundred.mean, 50.5);
  Spread const three = spread_of({3, 1, 2});
  EXPECT_EQ(three.p50, 2);
  EXPECT_EQ(three.p95, 3);
  Spread const one = spread_of({7});
  EXPECT_EQ(one.p50, 7);
  EXPECT_EQ(one.p95, 7);
}

TEST(Replications, of_one_without_noise_leave_the_record_as_it_is) {
  for (char const* engine : {"native", "smpi"}) {
    Json const plain = without_what_differs(record_of({.collective = noisy_ring}, "ring", engine));
    for (char const* more : {R"({"replications": 1})", R"({"machine": {"noise": {}}})"}) {
      Record const same = record_of({.collective = noisy_ring, .more = more}, "ring", engine);
      EXPECT_EQ(plain.dump(), without_what_differs(same).dump()) << more << engine;
    }
  }
}

TEST(Replications, come_in_a_record_and_out_of_it) {
  Record const record = noisy_record(with_noise(R"({"latency": {"kind": "exponential", "mean": "1us"}})", 20));
  Json const json = to_json(record);
  EXPECT_EQ(json["replications"], 20);
  EXPECT_EQ(json["time_mean_s"], json["time_s"]);
  EXPECT_LT(*record.time_p50_s, *record.time_p95_s);
  EXPECT_LE(*record.time_p95_s, *record.time_max_s);
  EXPECT_FALSE(record.theory.time_s);
  EXPECT_EQ(record.theory.rounds, 7);
  EXPECT_EQ(record.delivered, true);
  EXPECT_EQ(to_json(record_of(json)).dump(), json.dump());
}

TEST(Replications, are_the_same_for_the_same_seed_and_on_both_engines) {
  Json more = with_noise(R"({"latency": {"kind": "normal", "mean": "1us", "spread": "2us"}})", 10);
  more["seed"] = 5;
  Json const first = without_what_differs(noisy_record(more));
  EXPECT_EQ(first.dump(), without_what_differs(noisy_record(more)).dump());
  Record const smpi = noisy_record(more, "smpi");
  for (auto const& [key, value] : {std::pair("time_s", smpi.time_s),
                                   {"time_p50_s", smpi.time_p50_s},
                                   {"time_p95_s", smpi.time_p95_s},
                                   {"time_max_s", smpi.time_max_s}}) {
    EXPECT_NEAR(first[key].get<double>(), *value, 1e-9 * *value) << key;
  }
  more["seed"] = 6;
  EXPECT_NE(first["time_s"], to_json(noisy_record(more))["time_s"]);
}

/// A replication is a point of its own: the time of one is the first of several.
TEST(Replications, begin_with_the_one_that_stands_alone) {
  std::string const noise = R"({"latency": {"kind": "uniform", "spread": "3us"}})";
  double const alone = *noisy_record(with_noise(noise, 1)).time_s;
  Record const two = noisy_record(with_noise(noise, 2));
  double const other = 2 * *two.time_s - alone;
  EXPECT_NEAR(*two.time_p50_s, std::min(alone, other), 1e-15);
  EXPECT_NEAR(*two.time_max_s, std::max(alone, other), 1e-15);
  EXPECT_GT(std::abs(alone - other), 1e-9);
}

// One message of 64 B takes 1.064 us and its noise.

TEST(Replications, of_one_message_have_the_moments_of_the_distribution) {
  std::string const pair = R"({"kind": "bcast", "ranks": 2})";
  int const count = 4000;
  Record const record = noisy_record(with_noise(R"({"latency": {"kind": "exponential", "mean": "2us"}})", count),
                                     "native", pair, "binomial");
  // The deviation of a mean of 4,000 times is 2 us / 63, that of a quantile q at most 2 us / 63 sqrt(q / (1 - q)).
  EXPECT_NEAR(*record.time_mean_s, 3.064e-6, 5 * 2e-6 / 63);
  EXPECT_NEAR(*record.time_p50_s, 1.064e-6 + 2e-6 * std::log(2), 5 * 2e-6 / 63);
  EXPECT_NEAR(*record.time_p95_s, 1.064e-6 + 2e-6 * std::log(20), 5 * 2e-6 / 63 * std::sqrt(19));
  EXPECT_LE(*record.bound.time_s, *record.time_p50_s);
}

TEST(Replications, of_a_calculation_on_all_ranks_have_the_mean_of_the_longest_of_them) {
  // Of p exponential times the longest has the mean 1 + 1/2 + ... + 1/p.
  std::string const steps = R"({"kind": "workload", "ranks": 8, "steps": [{"name": "work", "compute": "5us"}]})";
  Record const record = noisy_record(with_noise(R"({"compute": {"kind": "exponential", "mean": "2us"}})", 4000),
                                     "native", steps, "workload");
  double harmonic = 0;
  for (int i = 1; i <= 8; ++i) harmonic += 1.0 / i;
  EXPECT_NEAR(*record.time_mean_s, 5e-6 + 2e-6 * harmonic, 5 * 2e-6 * 1.24 / 63);
  // P(longest <= t) = (1 - exp(-t / mean))^8
  EXPECT_NEAR(*record.time_p50_s, 5e-6 - 2e-6 * std::log(1 - std::pow(0.5, 1.0 / 8)), 1e-7 * 2.5);
  Json const& step = (*record.steps)["work"];
  EXPECT_EQ(step["time_s"], *record.time_s);
  EXPECT_EQ(step["time_p95_s"], *record.time_p95_s);
  EXPECT_NEAR(step["alone_s"].get<double>(), 5e-6, 1e-18);
}

/// A step's own noise is drawn as the machine's is: alone they are the same.
TEST(NoiseOfSteps, takes_the_place_of_the_noise_of_calculations) {
  std::string const law = R"({"kind": "exponential", "mean": "2us"})";
  std::string const quiet = R"({"kind": "workload", "ranks": 8, "steps": [{"name": "work", "compute": "5us"}]})";
  std::string const noisy =
      R"({"kind": "workload", "ranks": 8, "steps": [{"name": "work", "compute": "5us", "noise": )" + law + "}]}";
  std::string const costs =
      R"("loggp": {"L": "1us", "o": "300ns", "g": "200ns", "G": "1ns/B", "O": "0ns/B", "S": "1KiB"})";
  for (std::string const timing : {"linear", "flow", "loggp"}) {
    std::string const machine =
        R"({"machine": {"timing": ")" + timing + "\"" + (timing == "loggp" ? ", " + costs : "") + "}}";
    for (std::string const engine : {"native", "smpi"}) {
      if (timing == "loggp" && engine == "smpi") continue;
      Record const of_machine =
          noisy_record(with_noise(R"({"compute": )" + law + "}", 5, machine), engine, quiet, "workload");
      Record const of_step = noisy_record(with_noise("{}", 5, machine), engine, noisy, "workload");
      Record const of_both = noisy_record(
          with_noise(R"({"compute": {"kind": "uniform", "spread": "1ms"}})", 5, machine), engine, noisy, "workload");
      EXPECT_EQ(of_machine.time_s, of_step.time_s) << timing << engine;
      EXPECT_EQ(of_machine.time_s, of_both.time_s) << timing << engine;
      EXPECT_EQ(of_machine.time_p95_s, of_step.time_p95_s) << timing << engine;
      EXPECT_GT(*of_step.time_s, 5.1e-6) << timing << engine;
      EXPECT_NEAR((*of_step.steps)["work"]["alone_s"].get<double>(), 5e-6, 1e-18);
    }
  }
}

/// Only the second step is noisy. Of 8 exponential times the longest has the mean 1 + 1/2 + ... + 1/8.
TEST(NoiseOfSteps, leaves_the_other_steps_as_they_are) {
  std::string const steps = R"({"kind": "workload", "ranks": 8, "repeat": 2, "steps": [
      {"name": "a", "compute": "3us"},
      {"name": "all", "collective": {"kind": "barrier"}, "algorithm": "dissemination", "block": "0B"},
      {"name": "b", "compute": "5us", "noise": {"kind": "exponential", "mean": "2us"}},
      {"name": "end", "collective": {"kind": "barrier"}, "algorithm": "dissemination", "block": "0B"}]})";
  Record const record = noisy_record(with_noise("{}", 2000), "native", steps, "workload");
  EXPECT_NEAR((*record.steps)["a"]["time_max_s"].get<double>(), 6e-6, 1e-12);
  double harmonic = 0;
  for (int i = 1; i <= 8; ++i) harmonic += 1.0 / i;
  // Two repetitions, each with a deviation of 1.24 times the mean.
  EXPECT_NEAR((*record.steps)["b"]["time_s"].get<double>(), 2 * (5e-6 + 2e-6 * harmonic), 5 * 2e-6 * 1.76 / 44);
}

TEST(NoiseOfSteps, is_that_of_the_steps_of_each_job) {
  std::string const jobs = R"({"kind": "workload", "jobs": [
      {"name": "one", "workload": {"ranks": 4, "steps": [{"name": "a", "compute": "3us"}, {"name": "b", "compute": "3us"}]}},
      {"name": "two", "workload": {"ranks": 4, "steps": [{"name": "a", "compute": "3us", "noise": {"kind": "uniform", "spread": "9us"}}]}}]})";
  for (char const* engine : {"native", "smpi"}) {
    Record const record = noisy_record(with_noise("{}", 3), engine, jobs, "workload");
    EXPECT_NEAR((*record.jobs)["one"]["time_max_s"].get<double>(), 6e-6, 1e-15);
    EXPECT_GT((*record.jobs)["two"]["time_p50_s"].get<double>(), 4e-6);
    EXPECT_LE((*record.jobs)["two"]["time_max_s"].get<double>(), 12e-6);
  }
}

TEST(Replications, draw_when_ranks_come_anew) {
  Json more = {{"replications", 2000}, {"arrival", {{"kind", "uniform"}, {"spread", "10us"}}}};
  Record const record = noisy_record(more, "native", R"({"kind": "bcast", "ranks": 2})", "binomial");
  // The later of two uniform times has the mean 2/3 of the spread and the median sqrt(1/2).
  EXPECT_NEAR(*record.time_mean_s, 1.064e-6 + 1e-5 * 2 / 3, 5 * 2.4e-6 / 44);
  EXPECT_NEAR(*record.time_p50_s, 1.064e-6 + 1e-5 * std::sqrt(0.5), 5 * 3.6e-6 / 44);
  EXPECT_NEAR(*record.after_last_arrival_s, 1.064e-6, 1e-13);
}

TEST(Replications, of_a_workload_of_one_step_are_those_of_its_collective) {
  std::string const flow =
      R"({"machine": {"timing": "flow", "flow": {"o_send": "300ns", "o_recv": "200ns"}, "reduce": "1ns/B"}})";
  Json const more = with_noise(
      R"({"cpu": {"kind": "exponential", "mean": "1us"}, "latency": {"kind": "uniform", "spread": "1us"}})", 7, flow);
  Record const plain = noisy_record(more, "native", R"({"kind": "allreduce", "ranks": 8})", "rabenseifner");
  Record const whole =
      noisy_record(more, "native",
                   R"({"kind": "workload", "ranks": 8, "steps": [{"name": "one", "collective": {"kind": "allreduce"},
          "algorithm": "rabenseifner"}]})",
                   "workload");
  EXPECT_EQ(plain.time_s, whole.time_s);
  EXPECT_EQ(plain.time_p95_s, whole.time_p95_s);
  EXPECT_GT(*plain.time_max_s, *plain.time_p50_s);
}

TEST(Robust, moves_each_parameter_of_a_machine_alone_and_all_at_once) {
  Json machine = Json::parse(R"({"topology": {"kind": "ring", "hosts": 4}, "latency": "1us", "hop_latency": "0s",
    "bandwidth": "8Gbps", "pieces": [{"up_to": "1KiB", "latency": "2us", "bandwidth": "500MBps"}],
    "reduce": "0.5ns/B", "flow": {"o_send": "100ns", "eager": "8KiB"},
    "noise": {"cpu": {"kind": "exponential", "mean": "1us"}}, "source": "10us"})");
  auto const moves = moves_of({machine}, 0.1, 1);
  ASSERT_EQ(moves.size(), 10U + random_moves);
  EXPECT_EQ(moves[0].text, "latency -10%");
  EXPECT_EQ(moves[1].text, "latency +10%");
  move(machine, moves[1]);
  EXPECT_EQ(machine["latency"], "1.1us");
  EXPECT_EQ(machine["pieces"][0]["latency"], "2.2us");
  EXPECT_EQ(machine["bandwidth"], "8Gbps");
  move(machine, moves[2]);
  EXPECT_EQ(machine["bandwidth"], "7.2Gbps");
  EXPECT_EQ(machine["pieces"][0]["bandwidth"], "450MBps");
  EXPECT_EQ(machine["flow"]["eager"], "8KiB");
  EXPECT_EQ(machine["source"], "10us");
  for (auto const& [name, factor] : moves.back().factor) {
    EXPECT_GE(factor, 0.9) << name;
    EXPECT_LE(factor, 1.1) << name;
  }
  EXPECT_EQ(moves.back().factor.size(), 5U);
}

}  // namespace
}  // namespace rondo
