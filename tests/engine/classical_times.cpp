// The times that theory foretells of collectives on all ranks, against the native engine.

#include <gtest/gtest.h>

#include <initializer_list>

#include "classical_forms.hpp"
#include "compositions.hpp"
#include "engine/engine.hpp"
#include "generate/classical.hpp"
#include "theory/predict.hpp"

namespace rondo {
namespace {

constexpr ClassicalCollective all_collectives[] = {
    ClassicalCollective::bcast,     ClassicalCollective::gather,   ClassicalCollective::scatter,
    ClassicalCollective::allgather, ClassicalCollective::alltoall, ClassicalCollective::reduce_scatter,
    ClassicalCollective::reduce,    ClassicalCollective::scan,     ClassicalCollective::exscan,
    ClassicalCollective::allreduce, ClassicalCollective::barrier};

void expect_native_time(problem::Classical const& problem, int ports) {
  theory::LinearCost const cost{Seconds(1.7e-6), BytesPerSecond(1.3e9)};
  Platform const machine{
      .topology = FullyConnected{problem.ranks}, .latency = cost.alpha, .bandwidth = cost.bandwidth, .ports = ports};
  Prediction const predicted = theory::predict(problem, {cost, cost, ports});
  Outcome<Timing> const outcome = simulate_native(generate::generate(problem), machine, {});
  ASSERT_TRUE(outcome.result.has_value()) << test::name_of(problem) << ": " << outcome.error;
  ASSERT_TRUE(predicted.theory.time_s.has_value()) << test::name_of(problem);
  double const expected = *predicted.theory.time_s;
  EXPECT_NEAR(outcome.result->makespan.value, expected, 1e-9 * expected) << test::name_of(problem);
}

TEST(ClassicalTimes, of_1_to_64_ranks_are_theorys) {
  for (ClassicalCollective const collective : all_collectives) {
    for (int p = 1; p <= 64; ++p) {
      for (auto const& problem : test::every_form(collective, p, Bytes(1000))) expect_native_time(problem, 1);
    }
  }
}

void expect_native_times_on(std::initializer_list<int> ranks) {
  for (ClassicalCollective const collective : all_collectives) {
    for (int const p : ranks) {
      for (auto const& problem : test::every_form(collective, p, Bytes(1000))) expect_native_time(problem, 1);
    }
  }
}

// The numbers of ranks on which tests/generate/classical_test.cpp has the counts.
TEST(LongClassicalTimes, of_four_larger_numbers_of_ranks_are_theorys) { expect_native_times_on({65, 96, 127, 243}); }

TEST(LongClassicalTimes, DISABLED_of_20_larger_numbers_of_ranks_are_theorys) {
  expect_native_times_on(
      {65, 81, 96, 97, 100, 120, 125, 127, 128, 129, 192, 200, 210, 243, 255, 256, 257, 300, 343, 360});
}

TEST(ClassicalTimes, on_several_ports_are_theorys) {
  for (int const ports : {2, 3, 5}) {
    for (ClassicalCollective const collective : all_collectives) {
      for (int const p : {2, 5, 16, 27, 33, 50}) {
        for (auto const& problem : test::every_form(collective, p, Bytes(100))) expect_native_time(problem, ports);
      }
    }
  }
}

void expect_times_of_compositions(int count, std::uint64_t seed) {
  Random random(seed);
  for (int i = 0; i < count; ++i) {
    expect_native_time(test::random_composition(random), static_cast<int>(random.between(1, 3)));
    if (::testing::Test::HasFailure()) FAIL() << "composition " << i << " of seed " << seed;
  }
}

TEST(ClassicalTimes, of_a_hundred_random_compositions_are_theorys) { expect_times_of_compositions(100, 58); }

void expect_times_of_rings(int count, std::uint64_t seed) {
  Random random(seed);
  for (int i = 0; i < count; ++i) {
    expect_native_time(test::random_rings(random), static_cast<int>(random.between(1, 6)));
    if (::testing::Test::HasFailure()) FAIL() << "rings " << i << " of seed " << seed;
  }
}

TEST(ClassicalTimes, of_a_hundred_random_rings_are_theorys) { expect_times_of_rings(100, 575); }

TEST(LongClassicalTimes, of_five_hundred_random_rings_are_theorys) { expect_times_of_rings(500, 5751); }

TEST(LongClassicalTimes, of_five_hundred_random_compositions_are_theorys) { expect_times_of_compositions(500, 574); }

}  // namespace
}  // namespace rondo
