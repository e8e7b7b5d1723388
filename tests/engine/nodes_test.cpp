// Hosts with an inside: NICs, rails, islands, gaps and handshakes, on both engines and in exact fractions.

#include <gtest/gtest.h>

#include "native_schedules.hpp"
#include "random_machines.hpp"
#include "sanitized.hpp"
#include "schedules.hpp"

namespace rondo {
namespace {

using namespace testing;

Platform random_node_machine(Random& random) {
  Platform const plain = random.below(2) == 0 ? random_machine(random) : random_flow_machine(random);
  return with_insides(random, plain);
}

/// Both engines against the rule in exact fractions.
void expect_exact(int ranks, std::vector<PlannedMessage> const& planned, Platform const& platform) {
  bool const flow = platform.timing == TimingModel::flow;
  auto const expected =
      flow ? reference_flow_finish(ranks, planned, platform) : reference_finish(ranks, planned, platform);
  Schedule const schedule = schedule_of(ranks, planned);
  Timing const native = testing::simulate_native(schedule, platform);
  Timing const smpi = smpi_timing(schedule, platform);
  ASSERT_EQ(expected.size(), static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank) {
    double const due = expected[static_cast<std::size_t>(rank)];
    ASSERT_NEAR(1e9 * finish(native, rank).value, due, 1e-9 * due) << "native, rank " << rank;
    ASSERT_NEAR(1e9 * finish(smpi, rank).value, due, 1e-9 * due) << "smpi, rank " << rank;
  }
}

void expect_exact_on_machines(int first, int count) {
  for (int seed = first; seed < first + count; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    Platform const platform = random_node_machine(random);
    auto const carried = static_cast<int>(ranks(platform));
    // A schedule may leave ranks of the machine idle.
    int const p = random.below(4) == 0 ? std::max(2, carried - 1) : carried;
    auto planned = random_messages(random, p);
    if (planned.size() > 40) planned.resize(40);
    expect_exact(p, planned, platform);
    ASSERT_FALSE(::testing::Test::HasFailure()) << "seed " << seed;
  }
}

TEST(Nodes, both_engines_follow_the_rule_on_a_hundred_random_machines) {
  expect_exact_on_machines(1, 500 / test::sampled);
}

TEST(LongNodes, both_engines_follow_the_rule_on_two_thousand_random_machines) {
  expect_exact_on_machines(1001, 2000 / test::thinned);
}

}  // namespace
}  // namespace rondo
