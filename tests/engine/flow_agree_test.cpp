// Flow timing is one rule (docs/model.md): both engines, and the rule carried out in exact fractions, give one time.

#include <gtest/gtest.h>

#include <fstream>

#include "generate/generate.hpp"
#include "native_schedules.hpp"
#include "problems.hpp"
#include "random_machines.hpp"
#include "sanitized.hpp"
#include "schedules.hpp"

namespace rondo {
namespace {

using namespace testing;

TEST(LongFlowAgrees, on_a_thousand_random_schedules_and_machines) {
  for (int seed = 1; seed <= 1000 / test::thinned; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    Platform const platform = random_flow_machine(random);
    auto const ranks = static_cast<int>(rondo::ranks(platform));
    expect_agreement(schedule_of(ranks, random_messages(random, ranks)), platform);
    ASSERT_FALSE(::testing::Test::HasFailure()) << "seed " << seed;
  }
}

TEST(FlowAgrees, with_the_rule_carried_out_in_exact_fractions) {
  for (int seed = 3001; seed <= 3000 + 200 / test::thinned; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    Platform const platform = random_flow_machine(random);
    auto const ranks = static_cast<int>(rondo::ranks(platform));
    auto planned = random_messages(random, ranks);
    if (planned.size() > 40) planned.resize(40);
    auto const expected = reference_flow_finish(ranks, planned, platform);
    Schedule const schedule = schedule_of(ranks, planned);
    Timing const native = testing::simulate_native(schedule, platform);
    Timing const smpi = smpi_timing(schedule, platform);
    for (int rank = 0; rank < ranks; ++rank) {
      double const due = expected[static_cast<std::size_t>(rank)];
      ASSERT_NEAR(1e9 * finish(native, rank).value, due, 1e-9 * due) << "seed " << seed << ", rank " << rank;
      ASSERT_NEAR(1e9 * finish(smpi, rank).value, due, 1e-9 * due) << "seed " << seed << ", rank " << rank;
    }
  }
}

}  // namespace
}  // namespace rondo
