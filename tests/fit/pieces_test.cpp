// Pieces of sizes: as many as the times were made of, and none at which a byte more takes less time.

#include "fit/pieces.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "base/error.hpp"
#include "base/random.hpp"
#include "fit/machine.hpp"
#include "fit/nonnegative.hpp"

namespace rondo::fit {
namespace {

using nlohmann::json;

double normal_number(Random& random) {
  double const u = 1 - random.unit(), v = random.unit();
  return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
}

/// The sum of squares that a solution leaves.
double left_over(std::vector<std::vector<double>> const& columns, std::vector<double> const& target,
                 std::vector<double> const& x) {
  double sum = 0;
  for (std::size_t row = 0; row < target.size(); ++row) {
    double value = -target[row];
    for (std::size_t i = 0; i < columns.size(); ++i) value += columns[i][row] * x[i];
    sum += value * value;
  }
  return sum;
}

// At the minimum the derivative of the sum of squares is 0 for coefficients of more than 0, and at least 0 for those
// that are 0. The problem is convex: these conditions of Karush, Kuhn and Tucker are enough.
TEST(NonnegativeLeastSquares, meet_the_conditions_of_a_minimum_in_300_random_problems) {
  Random random(1);
  for (int problem = 0; problem < 300; ++problem) {
    auto const rows = static_cast<std::size_t>(random.between(3, 12));
    auto const count = static_cast<std::size_t>(random.between(1, 8));
    std::vector<std::vector<double>> columns(count);
    std::vector<double> target;
    for (std::size_t row = 0; row < rows; ++row) target.push_back(normal_number(random));
    for (auto& column : columns) {
      for (std::size_t row = 0; row < rows; ++row) column.push_back(random.unit() < 0.3 ? 0 : normal_number(random));
    }
    auto const x = nonnegative_least_squares(columns, target);
    double const reached = left_over(columns, target, x);
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_GE(x[i], 0);
      for (double const step : {1e-4, -1e-4}) {
        auto near = x;
        near[i] = std::max(0.0, near[i] + step);
        EXPECT_GE(left_over(columns, target, near), reached - 1e-9) << problem;
      }
    }
  }
}

struct Truth {
  std::int64_t up_to;
  double latency, bandwidth;
};
constexpr std::int64_t any_size = INT64_MAX;

double time_of(std::vector<Truth> const& truth, std::int64_t bytes) {
  for (Truth const& each : truth) {
    if (bytes <= each.up_to) return each.latency + static_cast<double>(bytes) / each.bandwidth;
  }
  return NAN;
}

/// Sizes 1 B to 4 MiB, as OSU's test has them, in so many runs.
Samples measured(std::vector<Truth> const& truth, double noise, Random& random, int runs = 1) {
  Samples samples;
  for (int run = 0; run < runs; ++run) {
    for (int power = 0; power <= 22; ++power) {
      std::int64_t const bytes = std::int64_t{1} << power;
      samples.all.push_back({bytes, Seconds(time_of(truth, bytes) * std::exp(noise * normal_number(random)))});
    }
  }
  return samples;
}

/// The ranges of a machine that was written, with what its last range holds.
std::vector<Truth> ranges_of(std::string const& machine) {
  json const parsed = json::parse(machine);
  std::vector<Truth> ranges;
  for (json const& piece : parsed.value("pieces", json::array())) {
    ranges.push_back({parse_bytes(piece["up_to"].get<std::string>()).value,
                      parse_seconds(piece["latency"].get<std::string>()).value,
                      parse_bandwidth(piece["bandwidth"].get<std::string>()).value});
  }
  ranges.push_back({any_size, parse_seconds(parsed["latency"].get<std::string>()).value,
                    parse_bandwidth(parsed["bandwidth"].get<std::string>()).value});
  return ranges;
}

/// The sizes of a machine at which a byte more takes less time.
std::vector<std::int64_t> falls_of(std::string const& machine) {
  std::vector<std::int64_t> falls;
  auto const ranges = ranges_of(machine);
  for (Truth const& each : ranges) {
    if (each.up_to >= std::int64_t{1} << 62) continue;  // no message is larger
    if (time_of(ranges, each.up_to + 1) < time_of(ranges, each.up_to)) falls.push_back(each.up_to);
  }
  return falls;
}

std::size_t count_of_ranges(Samples const& samples) { return boundaries_that_pay(samples).size() + 1; }

std::vector<Truth> const one = {{any_size, 1.5e-6, 12e9}};
std::vector<Truth> const two = {{8192, 1.5e-6, 5e9}, {any_size, 5e-6, 12e9}};
std::vector<Truth> const three = {{256, 1e-6, 1e9}, {8192, 1.8e-6, 4e9}, {any_size, 6e-6, 20e9}};
std::vector<Truth> const slower = {{65536, 1e-6, 10e9}, {any_size, 8e-6, 5e9}};
/// As fitted to Leonardo in version 0.3.0: 128 KiB take 28.2 us, a byte more 13.6 us.
std::vector<Truth> const falling = {{131072, 2.5e-6, 5.1e9}, {any_size, 4.9e-6, 15e9}};

TEST(Pieces, are_found_exactly_in_exact_times) {
  Random random(1);
  for (auto const& truth : {one, two, three, slower}) {
    Samples const samples = measured(truth, 0, random);
    std::vector<std::int64_t> found, made;
    for (Boundary const& each : boundaries_that_pay(samples)) found.push_back(each.up_to);
    for (Truth const& each : truth) {
      if (each.up_to != any_size) made.push_back(each.up_to);
    }
    EXPECT_EQ(found, made);
    auto const ranges = ranges_of(fit_linear(samples, {"f", 2}).json);
    for (std::size_t k = 0; k < truth.size(); ++k) {
      EXPECT_NEAR(ranges[k].latency / truth[k].latency, 1, 1e-3);
      EXPECT_NEAR(ranges[k].bandwidth / truth[k].bandwidth, 1, 1e-3);
    }
  }
}

// Of 60 draws for each of these, 59 or 60 had the true number when the criterion was chosen.
TEST(Pieces, are_as_many_as_the_times_were_made_of_in_19_of_20_draws_of_noise) {
  Random random(2);
  for (auto const& truth : {two, three, slower}) {
    for (auto const& [noise, runs] : std::vector<std::pair<double, int>>{{0.005, 1}, {0.03, 1}, {0.03, 3}}) {
      int right = 0;
      for (int draw = 0; draw < 20; ++draw) {
        right += count_of_ranges(measured(truth, noise, random, runs)) == truth.size() ? 1 : 0;
      }
      EXPECT_GE(right, 19) << truth.size() << " pieces, noise " << noise;
    }
  }
}

TEST(Pieces, are_not_seen_in_the_noise_of_one_line) {
  Random random(3);
  int wrong = 0;
  for (double const noise : {0.01, 0.05, 0.2}) {
    for (int draw = 0; draw < 50; ++draw)
      wrong += count_of_ranges(measured(one, noise, random, 1 + draw % 3)) > 1 ? 1 : 0;
  }
  EXPECT_LE(wrong, 2);
}

TEST(Pieces, never_let_a_byte_more_take_less_time_in_what_noise_shows) {
  Random random(4);
  for (auto const& truth : {one, two, three, slower}) {
    for (double const noise : {0.02, 0.1, 0.3}) {
      for (int draw = 0; draw < 8; ++draw) {
        auto const machine = fit_linear(measured(truth, noise, random, 1 + draw % 2), {"f", 2});
        EXPECT_EQ(falls_of(machine.json), std::vector<std::int64_t>{}) << machine.json;
      }
    }
  }
}

// One size that takes three times as long, or a third: no fit has a piece for it, and none lets times fall behind it.
TEST(Pieces, are_not_made_by_one_wild_size) {
  Random random(5);
  for (double const factor : {3.0, 1.0 / 3}) {
    for (std::size_t wild = 0; wild < 23; ++wild) {
      Samples samples = measured(one, 0.01, random);
      samples.all[wild].time = factor * samples.all[wild].time;
      auto const machine = fit_linear(samples, {"f", 2});
      EXPECT_EQ(falls_of(machine.json), std::vector<std::int64_t>{}) << wild << " " << machine.json;
    }
  }
}

TEST(Falls, that_most_runs_show_with_sizes_on_both_sides_are_kept_and_said) {
  Random random(6);
  auto const machine = fit_linear(measured(falling, 0.02, random, 3), {"f", 2});
  EXPECT_EQ(falls_of(machine.json), std::vector<std::int64_t>{131072});
  EXPECT_NE(machine.source.back().find("A message of 131073B takes less time than one of 128KiB ("), std::string::npos)
      << machine.source.back();
  EXPECT_NE(machine.source.back().find("as measured: in 3 of 3 runs 256KiB took less than 128KiB."), std::string::npos)
      << machine.source.back();
}

// One run of three shows it; the two others are of a machine on which times rise.
TEST(Falls, that_a_minority_of_runs_shows_are_not_kept) {
  Random random(7);
  Samples samples = measured(falling, 0.02, random);
  for (Sample const& each : measured(one, 0.02, random, 2).all) samples.all.push_back(each);
  auto const seen = falls_seen(samples);
  auto const here = std::ranges::find(seen, 131072, &ObservedFall::last);
  ASSERT_NE(here, seen.end());
  EXPECT_EQ(here->runs, 3);
  EXPECT_EQ(here->falling, 1);
  EXPECT_EQ(falls_of(fit_linear(samples, {"f", 2}).json), std::vector<std::int64_t>{});
}

// Behind the boundary only two sizes were measured: a line would meet them, whatever they are.
TEST(Falls, without_enough_sizes_on_both_sides_are_not_kept) {
  Random random(8);
  Samples samples = measured(falling, 0.0, random, 3);
  std::erase_if(samples.all, [](Sample const& each) { return each.bytes > 524288; });
  EXPECT_EQ(falls_of(fit_linear(samples, {"f", 2}).json), std::vector<std::int64_t>{});
}

// Times that are proportional to the size up to 1 KiB: the best latency there is 0, and no interval is made of 0 / 0.
TEST(Pieces, may_have_no_latency) {
  Random random(10);
  auto const machine = fit_linear(measured({{1024, 0, 1e7}, {any_size, 200e-6, 12e9}}, 0.01, random, 2), {"f", 2});
  EXPECT_EQ(machine.json.find("nan"), std::string::npos) << machine.json;
  auto const ranges = ranges_of(machine.json);
  ASSERT_EQ(ranges.size(), 2U);
  EXPECT_LT(ranges[0].latency, 2e-9);
  EXPECT_NEAR(ranges[0].bandwidth / 1e7, 1, 0.02);
}

// Where bandwidth is less for large messages, the machine's is the faster one, which the NIC carries, and the last
// piece holds all sizes that there are.
TEST(Pieces, may_be_slower_for_large_messages) {
  Random random(9);
  auto const ranges = ranges_of(fit_linear(measured(slower, 0.005, random), {"f", 2}).json);
  ASSERT_EQ(ranges.size(), 3U);
  EXPECT_EQ(ranges[1].up_to, std::int64_t{1} << 62);
  EXPECT_NEAR(ranges[1].bandwidth / 5e9, 1, 0.02);
  EXPECT_NEAR(ranges[2].bandwidth / 10e9, 1, 0.02);
}

}  // namespace
}  // namespace rondo::fit
