// Noise (docs/model.md, Noise): by hand, and both engines on random schedules, tasks and machines.

#include "engine/noise.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/ids.hpp"
#include "library_schedules.hpp"
#include "native_schedules.hpp"
#include "random_machines.hpp"
#include "sanitized.hpp"
#include "schedules.hpp"

namespace rondo {
namespace {

using namespace testing;

EngineOptions seeded(std::uint64_t seed, std::uint64_t replication = 0) {
  EngineOptions options;
  options.payload = Payload::timing;
  options.seed = seed;
  options.replication = replication;
  return options;
}

/// The same on both engines, on SMPI where it carries the machine.
std::vector<Timing> noisy(Schedule const& schedule, Platform const& platform, EngineOptions const& options) {
  std::vector<Timing> timings;
  Outcome const native = rondo::simulate_native(schedule, platform, options);
  EXPECT_TRUE(native.result) << native.error;
  timings.push_back(native.result.value_or(Timing{}));
  if (platform.timing == TimingModel::loggp) return timings;
  Collective const promise = IsomorphicAlltoall{Torus({schedule.ranks}), Neighborhood(1, {{1}})};
  Outcome const smpi = rondo::simulate_smpi(schedule, promise, platform, options);
  EXPECT_TRUE(smpi.result) << smpi.error;
  timings.push_back(smpi.result.value_or(Timing{}));
  return timings;
}

/// What docs/model.md says of a uniform draw up to `spread`: by splitmix64 alone.
Seconds uniform_draw(std::vector<std::uint64_t> const& occasion, Seconds spread) {
  auto const hash = [](std::uint64_t state) {
    std::uint64_t z = state + 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  };
  std::uint64_t state = 0;
  for (std::uint64_t const part : occasion) state = hash(state ^ part);
  return std::ldexp(static_cast<double>(state >> 11), -53) * spread;
}

constexpr std::uint64_t cpu = 2, compute = 3, latency = 4;

// 1 us and 1 GB/s: a message of b kB holds its ports for 1 + b us.

TEST(Noise, is_added_to_the_start_up_of_each_message) {
  Platform platform = machine(3);
  platform.noise.latency = {NoiseKind::uniform, {}, 10_us, {}};
  // Rank 0 sends its second message once its first has ended.
  auto const schedule = schedule_of(3, {{0, 1, 1, 1, 3000}, {0, 2, 2, 2, 1000}});
  for (std::uint64_t const replication : {0, 5}) {
    Seconds const first = 4_us + uniform_draw({77, replication, latency, 0, 0}, 10_us);
    Seconds const second = first + 2_us + uniform_draw({77, replication, latency, 0, 1}, 10_us);
    for (Timing const& timing : noisy(schedule, platform, seeded(77, replication))) {
      EXPECT_SECONDS(finish(timing, 1), first);
      EXPECT_SECONDS(finish(timing, 2), second);
    }
  }
}

TEST(Noise, of_a_cpu_is_added_to_sends_and_receives_under_flow_timing) {
  Platform platform = machine(2);
  platform.timing = TimingModel::flow;
  platform.flow = {.o_send = 300_ns, .o_recv = 500_ns, .match = 100_ns, .eager = 8_KiB};
  platform.noise.cpu = {NoiseKind::uniform, {}, 10_us, {}};
  platform.noise.latency = {NoiseKind::uniform, {}, 1_us, {}};
  Seconds const posted = 300_ns + uniform_draw({1, 0, cpu, 0, 0}, 10_us);
  // The receive waits when the message comes.
  Seconds const taken = posted + 1_us + uniform_draw({1, 0, latency, 0, 0}, 1_us) + 1_us + 100_ns + 500_ns +
                        uniform_draw({1, 0, cpu, 0, 1}, 10_us);
  for (Timing const& timing : noisy(schedule_of(2, {{0, 1, 1, 1, 1000}}), platform, seeded(1))) {
    EXPECT_SECONDS(finish(timing, 0), posted);
    EXPECT_SECONDS(finish(timing, 1), taken);
  }
}

TEST(Noise, of_a_cpu_delays_no_arrival_under_loggp) {
  Platform platform = machine(2);
  platform.timing = TimingModel::loggp;
  platform.loggp = {.L = 2_us, .o = 1_us, .g = 1_us, .G = Seconds(0), .O = Seconds(0), .S = 1_MiB};
  platform.noise.cpu = {NoiseKind::uniform, {}, 10_us, {}};
  platform.noise.latency = {NoiseKind::uniform, {}, 1_us, {}};
  Timing const timing = noisy(schedule_of(2, {{0, 1, 1, 1, 8}}), platform, seeded(3)).front();
  EXPECT_SECONDS(finish(timing, 0), 1_us + uniform_draw({3, 0, cpu, 0, 0}, 10_us));
  EXPECT_SECONDS(finish(timing, 1),
                 3_us + uniform_draw({3, 0, latency, 0, 0}, 1_us) + 1_us + uniform_draw({3, 0, cpu, 0, 1}, 10_us));
}

TEST(Noise, is_added_to_calculations_of_tasks_in_whole_nanoseconds) {
  char const* const goal =
      "num_ranks 2\nrank 0 { z: calc 0; c: calc 3000; c requires z; s: send 4000b to 1; s requires c }\n"
      "rank 1 { recv 4000b from 0 }";
  TaskGraph const graph = read_goal(goal, "test");
  Platform platform = machine(2);
  platform.noise.compute = {NoiseKind::uniform, {}, 10_us, {}};
  // The empty calculation is none.
  Seconds const noise = uniform_draw({9, 0, compute, 0, 0}, 10_us);
  Seconds const due = 3_us + Seconds(1e-9 * std::round(1e9 * noise.value)) + 5_us;
  Outcome const native = rondo::simulate_native(graph, platform, seeded(9));
  ASSERT_TRUE(native.result) << native.error;
  EXPECT_SECONDS(finish(*native.result, 1), due);
  Outcome const smpi = rondo::simulate_smpi(graph, platform, seeded(9));
  ASSERT_TRUE(smpi.result) << smpi.error;
  EXPECT_SECONDS(finish(*smpi.result, 1), due);
}

TEST(Noise, of_parts_goes_on_from_part_to_part_of_a_rank) {
  Platform platform = machine(2);
  platform.noise.compute = {NoiseKind::uniform, {}, 10_us, {}};
  platform.noise.latency = {NoiseKind::uniform, {}, 1_us, {}};
  Schedule const one = schedule_of(2, {{0, 1, 1, 1, 1000}});
  std::vector<PlacedStep> const steps{{{{nullptr, {0, 1}}}, 2_us, {}},
                                      {{{&one, {0, 1}}}, Seconds(0), {0}},
                                      {{{nullptr, {0}}}, 3_us, {1}},
                                      {{{&one, {0, 1}}}, Seconds(0), {2}}};
  Parts const parts = compose_parts(2, steps);
  auto const calculated = [](std::uint64_t rank, std::uint64_t which) {
    return uniform_draw({5, 0, compute, rank, which}, 10_us);
  };
  Seconds const begun = std::max(2_us + calculated(0, 0), 2_us + calculated(1, 0));
  Seconds const first = begun + 2_us + uniform_draw({5, 0, latency, 0, 0}, 1_us);
  Seconds const last = first + 3_us + calculated(0, 1) + 2_us + uniform_draw({5, 0, latency, 0, 1}, 1_us);
  for (auto const& outcome :
       {rondo::simulate_native(parts, platform, seeded(5)), rondo::simulate_smpi(parts, platform, seeded(5))}) {
    ASSERT_TRUE(outcome.result) << outcome.error;
    EXPECT_SECONDS(outcome.result->makespan, last);
  }
}

TEST(Noise, of_0_changes_no_time) {
  Random random(5);
  for (int i = 0; i < 100; ++i) {
    Platform platform = i % 2 == 0 ? random_flow_machine(random) : random_machine(random);
    auto const ranks = static_cast<int>(rondo::ranks(platform));
    Schedule const schedule = schedule_of(ranks, random_messages(random, ranks));
    Timing const plain = testing::simulate_native(schedule, platform);
    NoiseLaw const nothing{NoiseKind::normal, {}, {}, {}};
    platform.noise = {nothing, nothing, nothing};
    Timing const noisy = testing::simulate_native(schedule, platform);
    ASSERT_NEAR(plain.makespan.value, noisy.makespan.value, 1e-12 * plain.makespan.value);
  }
}

void expect_one_time(std::vector<Timing> const& timings, int ranks, std::string const& what) {
  ASSERT_EQ(timings.size(), 2u);
  ASSERT_EQ(timings[0].messages, timings[1].messages) << what;
  for (int rank = 0; rank < ranks; ++rank) {
    ASSERT_NEAR(finish(timings[0], rank).value, finish(timings[1], rank).value, 1e-9 * timings[1].makespan.value)
        << what << ", rank " << rank;
  }
}

TEST(Noise, takes_one_time_on_both_engines) {
  for (std::uint64_t seed = 1; seed <= 300 / at(test::sampled); ++seed) {
    Random random(seed);
    Platform platform = seed % 2 == 0 ? random_flow_machine(random) : random_machine(random);
    if (seed % 3 == 0) platform = with_insides(random, platform);
    platform.noise = random_noise(random);
    auto const ranks = static_cast<int>(rondo::ranks(platform));
    auto planned = random_messages(random, ranks);
    if (planned.size() > 300) planned.resize(300);
    expect_one_time(noisy(schedule_of(ranks, planned), platform, seeded(seed, seed % 7)), ranks,
                    "seed " + std::to_string(seed));
    ASSERT_FALSE(::testing::Test::HasFailure());
  }
}

/// Reductions, whose joins take the CPU's time.
TEST(Noise, of_every_algorithm_takes_one_time_on_both_engines) {
  Random random(21);
  auto const library = library_schedules(700_B);
  std::size_t const stride = std::max<std::size_t>(1, library.size() / (100 / at(test::sampled)));
  for (std::size_t i = 0; i < library.size(); i += stride) {
    Platform platform = machine(library_ranks);
    platform.timing = TimingModel::flow;
    platform.flow = {.o_send = 300_ns, .o_recv = 500_ns, .match = 20_ns, .eager = 1_KiB};
    if (i % 2 == 0) platform.reduce = 1_ns;
    platform.noise = random_noise(random);
    expect_one_time(noisy(library[i].schedule, platform, seeded(i)), library[i].schedule.ranks, library[i].name);
    ASSERT_FALSE(::testing::Test::HasFailure());
  }
}

TEST(Noise, of_tasks_takes_one_time_on_both_engines) {
  for (std::uint64_t seed = 1; seed <= 100 / at(test::sampled); ++seed) {
    Random random(seed);
    Platform platform = machine(static_cast<int>(random.between(2, 7)));
    platform.ports = static_cast<int>(random.between(1, 3));
    if (seed % 2 == 0) {
      platform.timing = TimingModel::flow;
      platform.flow = {.o_send = 300_ns, .o_recv = 500_ns, .match = 20_ns, .eager = 1_KiB};
    }
    platform.noise = random_noise(random);
    auto const ranks = static_cast<int>(rondo::ranks(platform));
    TaskGraph const graph = lower(schedule_of(ranks, random_payloads(random, ranks, 4, 2)));
    Outcome const native = rondo::simulate_native(graph, platform, seeded(seed));
    Outcome const smpi = rondo::simulate_smpi(graph, platform, seeded(seed));
    ASSERT_TRUE(native.result && smpi.result) << native.error << smpi.error;
    expect_one_time({*native.result, *smpi.result}, ranks, "seed " + std::to_string(seed));
  }
}

}  // namespace
}  // namespace rondo
