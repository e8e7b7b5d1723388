// Distributions of noise against their closed forms, and traces.

#include "platform/noise.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "base/error.hpp"
#include "base/random.hpp"

namespace rondo {
namespace {

struct Moments {
  double mean = 0, deviation = 0, least = 1e300, most = 0;
};

/// Of draws of one occasion each, in microseconds.
Moments moments_of(NoiseLaw const& law, Seconds work = {}) {
  constexpr int count = 200'000;
  double sum = 0, squares = 0;
  Moments found;
  for (std::uint64_t i = 0; i < count; ++i) {
    Random random = draws_of({7, 0, DrawKind::cpu, i % 100, i / 100});
    double const value = 1e6 * drawn(law, random, work).value;
    sum += value;
    squares += value * value;
    found.least = std::min(found.least, value);
    found.most = std::max(found.most, value);
  }
  found.mean = sum / count;
  found.deviation = std::sqrt(squares / count - found.mean * found.mean);
  return found;
}

/// A mean of 200,000 draws is off by 5 of its own deviations once in 1.7 million times.
void expect_mean(Moments const& found, double mean, double deviation) {
  EXPECT_NEAR(found.mean, mean, 5 * deviation / std::sqrt(200'000.0));
  EXPECT_NEAR(found.deviation, deviation, 0.02 * deviation);
  EXPECT_GE(found.least, 0);
}

Seconds us(double value) { return Seconds(value * 1e-6); }

TEST(Noise, uniform_has_half_its_spread_as_mean) {
  Moments const found = moments_of({NoiseKind::uniform, {}, us(6), {}});
  expect_mean(found, 3, 6 / std::sqrt(12));
  EXPECT_LT(found.most, 6);
  EXPECT_GT(found.most, 5.99);
}

TEST(Noise, exponential_has_its_mean_as_deviation) {
  Moments const found = moments_of({NoiseKind::exponential, us(2), {}, {}});
  expect_mean(found, 2, 2);
  EXPECT_GT(found.most, 2 * 8);  // the chance that none of all is longer: exp(-200000 exp(-8)), 1e-29
}

TEST(Noise, normal_far_from_0_has_mean_and_spread) {
  expect_mean(moments_of({NoiseKind::normal, us(50), us(3), {}}), 50, 3);
}

TEST(Noise, normal_near_0_is_cut_off_there) {
  // Of X with mean m and deviation s: E max(0, X) = m F + s f and E max(0, X)^2 = (m^2 + s^2) F + m s f, with F the
  // distribution function and f the density of the standard normal distribution at m / s.
  double const m = 1, s = 2, ratio = m / s;
  double const F = 0.5 * std::erfc(-ratio / std::numbers::sqrt2);
  double const f = std::exp(-ratio * ratio / 2) / std::sqrt(2 * std::numbers::pi);
  double const mean = m * F + s * f;
  double const square = (m * m + s * s) * F + m * s * f;
  Moments const found = moments_of({NoiseKind::normal, us(m), us(s), {}});
  expect_mean(found, mean, std::sqrt(square - mean * mean));
  EXPECT_EQ(found.least, 0);
}

NoiseLaw of_trace(std::string const& text) {
  return {NoiseKind::trace, {}, {}, std::make_shared<NoiseTrace const>(noise_trace(text))};
}

TEST(Noise, of_durations_alone_each_is_as_frequent) {
  NoiseLaw const law = of_trace("1000\n3000 # the longest\n\n2000\r\n0\n");
  Moments const found = moments_of(law);
  expect_mean(found, 1.5, std::sqrt(1.25));
  EXPECT_NEAR(found.most, 3, 1e-9);
}

/// Interruptions from 2 to 3 us and from 6 to 9 us of each 10 us.
char const* const interruptions = "# begin, duration\n2000\t1000\n6000\t3000\n10000\t123456\n";

TEST(Noise, a_start_up_waits_for_the_rest_of_an_interruption) {
  // It falls into that of 1 us with 1/10, and waits 1/2 us in the mean; into that of 3 us with 3/10, and waits 3/2 us.
  double const mean = 0.1 * 0.5 + 0.3 * 1.5;
  double const square = 0.1 * 1.0 / 3 + 0.3 * 9.0 / 3;
  Moments const found = moments_of(of_trace(interruptions));
  expect_mean(found, mean, std::sqrt(square - mean * mean));
  EXPECT_LT(found.most, 3);
}

TEST(Noise, a_work_is_interrupted_by_all_that_begins_within_it) {
  // In 25 us begin 2.5 times 4 us of interruptions in the mean; the rest of one that has begun before comes on top.
  Moments const found = moments_of(of_trace(interruptions), us(25));
  EXPECT_NEAR(found.mean, 2.5 * 4 + 0.5, 0.03);
  // At least two of each; at most three of each, or two and the rests of both ends.
  EXPECT_GE(found.least, 8 - 1e-9);
  EXPECT_LE(found.most, 12 + 1e-9);
}

/// By hand: places in the trace, as many as a period has tenths of microseconds.
TEST(Noise, takes_the_interruptions_of_the_place_that_it_draws) {
  NoiseLaw const law = of_trace(interruptions);
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Random random(seed), again(seed);
    double const from = 10 * again.unit();
    double due = 0;
    for (double const period : {-10.0, 0.0, 10.0}) {
      for (auto const& [begin, length] : {std::pair(2.0, 1.0), {6.0, 3.0}}) {
        double const at = begin + period;
        if (at >= from && at < from + 7) due += length;
        if (at < from && at + length > from) due += at + length - from;
      }
    }
    ASSERT_NEAR(1e6 * drawn(law, random, us(7)).value, due, 1e-9) << "from " << from;
  }
}

TEST(Noise, refuses_traces_that_are_none) {
  auto const fault = [](std::string const& text) {
    try {
      noise_trace(text);
    } catch (InputError const& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  EXPECT_EQ(fault("# nothing\n"), "expected lines of one or two numbers of nanoseconds, got none");
  EXPECT_EQ(fault("1\nx"), "line 2: expected a number of nanoseconds from 0 to 1e18, got \"x\"");
  EXPECT_EQ(fault("-1"), "line 1: expected a number of nanoseconds from 0 to 1e18, got \"-1\"");
  EXPECT_EQ(fault("1e19"), "line 1: expected a number of nanoseconds from 0 to 1e18, got \"1e19\"");
  EXPECT_EQ(fault("nan"), "line 1: expected a number of nanoseconds from 0 to 1e18, got \"nan\"");
  EXPECT_EQ(fault("1us"), "line 1: expected a number of nanoseconds from 0 to 1e18, got \"1us\"");
  EXPECT_EQ(fault("1 2 3"), "line 1: expected one or two numbers in a line, got more");
  EXPECT_EQ(fault("1 2\n3"), "line 2: expected as many numbers as in the lines before");
  EXPECT_EQ(fault("1\n3 4"), "line 2: expected as many numbers as in the lines before");
  EXPECT_EQ(fault("5 2\n3 1"), "line 2: expected a begin that is not before that of the line before");
  EXPECT_EQ(fault("0 2"), "expected a last line with a begin above 0, which ends the trace, got 0");
  EXPECT_EQ(fault("0 2\n7 0"), "nothing");
}

}  // namespace
}  // namespace rondo
