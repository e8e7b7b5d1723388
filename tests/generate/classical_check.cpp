#include "classical_check.hpp"

#include <gtest/gtest.h>

#include "classical_forms.hpp"
#include "generate/classical.hpp"

namespace rondo::test {
namespace {

using problem::Classical;

void expect_equal(std::optional<double> theory, double counted, char const* what) {
  ASSERT_TRUE(theory.has_value()) << what;
  EXPECT_NEAR(*theory, counted, 1e-12 * counted) << what;
}

void expect_bounded(std::optional<double> bound, double counted, char const* what) {
  if (!bound) return;
  EXPECT_GE(counted * (1 + 1e-12), *bound) << what;
}

}  // namespace

theory::MachineCost classical_machine(int ports) {
  theory::LinearCost const cost{Seconds(1e-6), BytesPerSecond(1e9)};
  return {cost, cost, ports};
}

void expect_as_in_theory(Classical const& problem, int ports) {
  SCOPED_TRACE(name_of(problem));
  Schedule const schedule = generate::generate(problem);
  Verdict const verdict = verify(schedule, generate::promise(problem));
  ASSERT_TRUE(verdict.valid()) << (verdict.violations.empty() ? "not delivered" : verdict.violations[0].text);
  Measures const counted = measure(schedule);
  Prediction const predicted = theory::predict(problem, classical_machine(ports));
  EXPECT_EQ(schedule.rounds(), counted.rounds) << "the last round is not empty";
  EXPECT_EQ(predicted.theory.rounds, counted.rounds);
  EXPECT_EQ(predicted.theory.messages, counted.messages);
  EXPECT_EQ(predicted.theory.volume_bytes, counted.volume_bytes.value);
  expect_equal(predicted.theory.volume_blocks, counted.volume_blocks, "volume");
  expect_equal(predicted.theory.critical_blocks, counted.critical_blocks, "critical volume");
  expect_equal(predicted.theory.total_blocks, counted.total_blocks, "total volume");
  expect_equal(predicted.theory.received_blocks, counted.received_blocks, "received volume");
  if (counted.ports <= ports) {
    EXPECT_GE(counted.rounds, *predicted.bound.rounds);
    expect_bounded(predicted.bound.critical_blocks, counted.critical_blocks, "critical volume");
  }
  expect_bounded(predicted.bound.volume_blocks, counted.volume_blocks, "volume");
  expect_bounded(predicted.volume_in_rounds, counted.volume_blocks, "volume in so few rounds");
  expect_bounded(predicted.bound.total_blocks, counted.total_blocks, "total volume");
  expect_bounded(predicted.bound.received_blocks, counted.received_blocks, "received volume");
  expect_bounded(predicted.bound.time_s, *predicted.theory.time_s, "time");
}

}  // namespace rondo::test
