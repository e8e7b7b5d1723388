#include "fit/machine.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"
#include "engine/engine.hpp"
#include "platform/platform.hpp"
#include "sanitized.hpp"
#include "schedule/task_graph.hpp"

namespace rondo::fit {
namespace {

double value_of(Fitted const& fitted, std::string const& name) {
  for (Estimate const& each : fitted.parameters) {
    if (each.name == name) return each.value;
  }
  ADD_FAILURE() << name;
  return NAN;
}

/// Times of latency + bytes / bandwidth, each off by a factor that falls and rises with its place.
Samples samples(double latency, double bandwidth, std::vector<double> const& factors) {
  Samples result;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    std::int64_t const bytes = std::int64_t{1} << (2 * i);
    result.all.push_back({bytes, Seconds(factors[i] * (latency + static_cast<double>(bytes) / bandwidth))});
  }
  return result;
}

TEST(RobustFit, finds_the_parameters_of_exact_times) {
  auto const machine = fit_linear(samples(2e-6, 5e9, std::vector(12, 1.0)), {"f", 2});
  EXPECT_NEAR(value_of(machine.fitted, "latency") / 2e-6, 1, 1e-7);
  EXPECT_NEAR(value_of(machine.fitted, "bandwidth") / 5e9, 1, 1e-7);
  EXPECT_NEAR(machine.fitted.median_error, 0, 1e-7);
  for (Estimate const& each : machine.fitted.parameters) EXPECT_NEAR(each.factor, 1, 1e-5) << each.name;
}

// Plain least squares of logarithms would put latency up by about a factor 10^(1/6), by the one of six small sizes.
TEST(RobustFit, is_hardly_moved_by_a_wild_time) {
  std::vector<double> factors(12, 1.0);
  factors[2] = 10;
  auto const machine = fit_linear(samples(2e-6, 5e9, factors), {"f", 2});
  EXPECT_NEAR(value_of(machine.fitted, "latency") / 2e-6, 1, 0.03);
  EXPECT_NEAR(value_of(machine.fitted, "bandwidth") / 5e9, 1, 0.03);
}

// Where errors are alternately e^0.05 and e^-0.05 and half of n times tell a parameter alone, its logarithm has a
// standard error of about 0.05 / sqrt(n/2) and the interval is some two of these: more measurements, a shorter
// interval.
TEST(RobustFit, intervals_hold_the_truth_and_shrink_with_more_times) {
  std::vector<double> factors;
  for (int i = 0; i < 12; ++i) factors.push_back(std::exp(i % 2 == 0 ? 0.05 : -0.05));
  Samples once = samples(2e-6, 5e9, factors), often = once;
  for (int again = 0; again < 15; ++again) often.all.insert(often.all.end(), once.all.begin(), once.all.end());
  auto const few = fit_linear(once, {"f", 2}).fitted, many = fit_linear(often, {"f", 2}).fitted;
  for (std::size_t i = 0; i < 2; ++i) {
    double const truth = i == 0 ? 2e-6 : 5e9;
    EXPECT_LT(few.parameters[i].low(), truth);
    EXPECT_GT(few.parameters[i].high(), truth);
    EXPECT_GT(std::log(few.parameters[i].factor), 0.02);
    EXPECT_LT(std::log(few.parameters[i].factor), 0.12);
    EXPECT_NEAR(std::log(few.parameters[i].factor) / std::log(many.parameters[i].factor), 4.5,
                1);  // t and 4 = sqrt(16)
  }
}

// The number of draws that hold the truth is binomial: 950 of 1,000, with a standard deviation of 7.
TEST(RobustFit, intervals_hold_the_truth_in_95_of_100_draws_of_noise) {
  for (double const noise : {0.02, 0.1, 0.3}) {
    Random random(1);
    int latency = 0, bandwidth = 0;
    int const draws = 1000 / test::sampled;
    for (int draw = 0; draw < draws; ++draw) {
      std::vector<double> factors;
      for (int i = 0; i < 24; ++i) factors.push_back(std::exp(noise * normal(random)));
      Samples both = samples(2e-6, 1e10, {factors.begin(), factors.begin() + 12});
      Samples const again = samples(2e-6, 1e10, {factors.begin() + 12, factors.end()});
      both.all.insert(both.all.end(), again.all.begin(), again.all.end());
      auto const fitted = fit_linear(both, {"f", 2}).fitted;
      latency += fitted.parameters[0].low() <= 2e-6 && 2e-6 <= fitted.parameters[0].high() ? 1 : 0;
      bandwidth += fitted.parameters[1].low() <= 1e10 && 1e10 <= fitted.parameters[1].high() ? 1 : 0;
    }
    for (int const held : {latency, bandwidth})
      EXPECT_NEAR(held, 0.95 * draws, 4 * std::sqrt(0.95 * 0.05 * draws)) << noise;
  }
}

// Sizes from 100 to 111 alone: what is added to the latency can be taken from the time a byte. By the normal equations
// the correlation is -mean(x) / sqrt(mean(x^2)), which is -0.9995 for these.
TEST(RobustFit, names_what_the_data_cannot_tell_apart) {
  Samples narrow;
  for (int i = 0; i < 12; ++i) {
    double const noise = i % 2 == 0 ? 1.001 : 0.999;
    narrow.all.push_back({100 + i, Seconds(noise * (100e-9 + 1e-9 * (100 + i)))});
  }
  auto const machine = fit_linear(narrow, {"f", 2});
  ASSERT_EQ(machine.fitted.confused.size(), 1U);
  EXPECT_EQ(machine.fitted.confused[0].one, "latency");
  EXPECT_EQ(machine.fitted.confused[0].other, "bandwidth");
  EXPECT_NEAR(std::abs(machine.fitted.confused[0].correlation), 0.9995, 2e-4);
  EXPECT_NE(machine.json.find("The data cannot tell latency and bandwidth apart"), std::string::npos);
}

TEST(RobustFit, says_so_where_it_does_not_converge) {
  FitProblem two{{{"a", 1.0}, {"b", 1.0}}, {1.0, 2.0}, {}};
  two.model = [](std::span<double const> p, std::span<double> predicted) { predicted[0] = predicted[1] = p[0]; };
  EXPECT_THROW(fit_robust(two), NotConverged);  // no more measurements than parameters
  FitProblem unused{{{"a", 1.0}, {"b", 1.0}}, {1.0, 2.0, 3.0}, {}};
  unused.model = [](std::span<double const> p, std::span<double> predicted) {
    for (double& each : predicted) each = p[0];
  };
  EXPECT_THROW(fit_robust(unused), NotConverged);  // nothing depends on b
  FitProblem endless{{{"a", 1.0}}, {1.0, 2.0, 3.0}, {}};
  endless.model = [](std::span<double const> p, std::span<double> predicted) {
    for (double& each : predicted) each = 4 + 1 / p[0];  // ever better with a larger a
  };
  EXPECT_THROW(fit_robust(endless), NotConverged);
}

/// Times that no line meets: the interval of the latency is wider than doubles go.
TEST(RobustFit, writes_numbers_whatever_the_data_are) {
  Samples wild;
  for (auto const& [bytes, time] : {std::pair(1, 1.281580223173672e-10),
                                    {0, 5.967832964995429e-47},
                                    {0, 1.8199419600544828e-138},
                                    {1, 1.1655725491374137e-07}}) {
    wild.all.push_back({bytes, Seconds(time)});
  }
  std::string const json = fit_linear(wild, {"f", 2}).json;
  EXPECT_NE(json.find("(no interval)"), std::string::npos) << json;
  EXPECT_EQ(json.find("nan"), std::string::npos) << json;
  EXPECT_EQ(json.find("inf"), std::string::npos) << json;
}

constexpr int burst = 16;

/// What Netgauge measures, as its client and server send, wait and receive: the time of the client's last task.
Seconds round_trip(LogGp const& model, std::int64_t bytes, int messages, std::int64_t wait_ns) {
  std::string client, server;
  int label = 0;
  std::string before;
  auto const task = [&](std::string const& text) {
    std::string const name = fmt::format("l{}", ++label);
    client += fmt::format("{}: {}\n", name, text);
    if (!before.empty()) client += fmt::format("{} requires {}\n", name, before);
    before = name;
  };
  for (int i = 0; i < messages; ++i) {
    if (i > 0 && wait_ns > 0) task(fmt::format("calc {}", wait_ns));
    task(fmt::format("send {}b to 1 tag 0", bytes));
    server += fmt::format("r{}: recv {}b from 0 tag 0\n", i, bytes);
    if (i > 0) server += fmt::format("r{} requires r{}\n", i, i - 1);
  }
  task(fmt::format("recv {}b from 1 tag 1", bytes));
  server += fmt::format("s: send {}b to 0 tag 1\ns requires r{}\n", bytes, messages - 1);
  Platform platform;
  platform.topology = FullyConnected{2};
  platform.timing = TimingModel::loggp;
  platform.loggp = model;
  auto const outcome = simulate_native(
      read_goal(fmt::format("num_ranks 2\nrank 0 {{\n{}}}\nrank 1 {{\n{}}}\n", client, server), "netgauge"), platform,
      {});
  if (!outcome.result) ADD_FAILURE() << outcome.error;
  return outcome.result ? outcome.result->makespan : Seconds(0);
}

/// The native engine plays Netgauge; what is fitted to its table must be the parameters that it was given. They are
/// whole nanoseconds, so that waits are, and the table has six digits after the point, as Netgauge writes.
TEST(LogGp, fitted_to_what_the_engine_measures_is_what_the_engine_was_given) {
  for (LogGp const& model : {
           LogGp{Seconds(3e-6), Seconds(1e-6), Seconds(4e-6), Seconds(2e-9), Seconds(1e-9), Bytes(65535)},
           LogGp{Seconds(900e-9), Seconds(300e-9), Seconds(500e-9), Seconds(1e-9), Seconds(0), Bytes(65535)},
       }) {
    std::string table = "# size n PRTT(1,0,s) PRTT(n,0,s) PRTT(n,PRTT(1,0,s),s) L o_s o_r g G lsqu(g,G)\n";
    for (std::int64_t bytes = 1; bytes <= 65536; bytes = bytes == 1 ? 257 : 2 * bytes) {
      std::int64_t const size = std::min<std::int64_t>(bytes, 65535);
      Seconds const one = round_trip(model, size, 1, 0);
      Seconds const all = round_trip(model, size, burst, 0);
      Seconds const spaced = round_trip(model, size, burst, std::llround(1e9 * one.value));
      table += fmt::format("{} {} {:.6f} {:.6f} {:.6f} 0 0 0 0 0 0\n", size, burst, 1e6 * one.value, 1e6 * all.value,
                           1e6 * spaced.value);
    }
    auto const fitted = fit_loggp(read_round_trips(table, "f"), {"f", 2}).fitted;
    EXPECT_NEAR(value_of(fitted, "L") / model.L.value, 1, 1e-3) << table;
    EXPECT_NEAR(value_of(fitted, "o") / model.o.value, 1, 1e-3);
    EXPECT_NEAR(value_of(fitted, "g") / model.g.value, 1, 1e-3);
    EXPECT_NEAR(value_of(fitted, "G") / model.G.value, 1, 1e-3);
    if (model.O > Seconds(0)) {
      EXPECT_NEAR(value_of(fitted, "O") / model.O.value, 1, 1e-3);
    } else {
      EXPECT_EQ(fitted.parameters.back().name, "G");  // no O can be made out
    }
  }
}

TEST(Machine, says_where_its_parameters_come_from) {
  auto const machine = fit_linear(samples(2e-6, 5e9, std::vector(12, 1.0)), {"osu.txt", 8});
  EXPECT_EQ(machine.json, R"({
  "source": [
    "Fitted by rondo fit to osu.txt: 12 times of messages of 1B to 4MiB; half of the times are met within 0.0 %.",
    "With 95 % intervals: latency 2us (2us to 2us), bandwidth 5GBps (5GBps to 5GBps)."
  ],
  "topology": {
    "kind": "fully_connected",
    "hosts": 8
  },
  "latency": "2us",
  "bandwidth": "5GBps"
}
)");
}

}  // namespace
}  // namespace rondo::fit
