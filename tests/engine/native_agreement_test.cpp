// Native, SMPI and theory: equal to 1e-9 wherever schedules are one-ported and links are not shared. That the engines
// are equal everywhere is tested in engines_agree_test.cpp.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "generate/generate.hpp"
#include "native_schedules.hpp"
#include "problems.hpp"
#include "schedules.hpp"
#include "theory/isomorphic.hpp"

namespace rondo {
namespace {

using namespace testing;

std::vector<int> dimensions(Torus const& torus) {
  std::vector<int> order(static_cast<std::size_t>(torus.dimensions()));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

Seconds linear(theory::Counts const& counts, Bytes block, Platform const& platform) {
  return static_cast<double>(counts.rounds) * platform.latency +
         static_cast<double>(counts.volume_blocks) * (block / platform.bandwidth);
}

TEST(NativeAgreement, isomorphic_alltoall_takes_the_time_of_proposition_1) {
  struct Problem {
    Torus torus;
    Neighborhood neighborhood;
  };
  std::vector<Problem> const problems{{Torus({8, 6, 10}), moore(3, 1)},
                                      {Torus({5, 5}), moore(2, 2)},
                                      {Torus({3, 1, 4}), von_neumann(3, 2)},
                                      {Torus({16}), shales(1, {1, 3})}};
  for (auto const& [torus, neighborhood] : problems) {
    for (Bytes const block : {1_B, 64_B, 64_KiB}) {
      Platform const platform = machine(torus.size());
      Schedule const straightforward = generate::isomorphic_straightforward(test::alltoall(torus, neighborhood, block));
      Schedule const combining =
          generate::isomorphic_dimension_wise(test::alltoall(torus, neighborhood, block, dimensions(torus)));
      EXPECT_SECONDS(testing::simulate_native(straightforward, platform).makespan,
                     linear(theory::alltoall_straightforward(torus, neighborhood), block, platform));
      EXPECT_SECONDS(testing::simulate_native(combining, platform).makespan,
                     linear(theory::alltoall_dimension_wise(torus, neighborhood), block, platform));
    }
  }
}

/// SMPI without payload; what the schedule is for does not matter then.
Timing simulate_smpi(Schedule const& schedule, Platform const& platform) {
  Torus const ring({schedule.ranks});
  Collective const collective = IsomorphicAlltoall{ring, Neighborhood(1, {{1}})};
  return testing::simulate({schedule, collective}, platform, Payload::timing);
}

TEST(NativeAgreement, one_ported_schedules_take_the_time_of_smpi) {
  Random random(51);
  for (int i = 0; i < 40; ++i) {
    auto const ranks = static_cast<int>(random.between(2, 12));
    Schedule const schedule = schedule_of(ranks, random_payloads(random, ranks, 8, 1));
    Platform platform = machine(ranks);
    platform.envelope = 24_B;
    if (random.below(2) == 0) {
      platform.topology = Ring{ranks};
      platform.hop_latency = 130_ns;
    }
    Timing const native = testing::simulate_native(schedule, platform);
    Timing const smpi = simulate_smpi(schedule, platform);
    EXPECT_SECONDS(native.makespan, smpi.makespan) << i;
    EXPECT_EQ(native.messages, smpi.messages);
    EXPECT_EQ(native.bytes, smpi.bytes);
    for (int r = 0; r < ranks; ++r) {
      EXPECT_NEAR(finish(native, r).value, finish(smpi, r).value, 1e-9 * smpi.makespan.value) << i << ", rank " << r;
    }
  }
}

TEST(NativeAgreement, posted_messages_follow_each_other_on_the_ports) {
  Torus const torus({4, 5});
  Neighborhood const neighborhood = moore(2, 1);
  std::vector<Bytes> const messages(8, 1_KiB);
  for (int const ports : {1, 2, 3, 8}) {
    Platform platform = machine(torus.size());
    platform.ports = ports;
    Schedule const posted = generate::isomorphic_posted(test::alltoall(torus, neighborhood, 1_KiB));
    EXPECT_SECONDS(testing::simulate_native(posted, platform).makespan,
                   theory::posted_time(messages, ports, 0_B, {platform.latency, platform.bandwidth}));
  }
}

}  // namespace
}  // namespace rondo
