// Several schedules at once (docs/model.md, Workloads): both engines, and the rules carried out in exact fractions.

#include <gtest/gtest.h>

#include <algorithm>

#include "base/ids.hpp"
#include "library_schedules.hpp"
#include "native_schedules.hpp"
#include "random_machines.hpp"
#include "sanitized.hpp"
#include "schedules.hpp"

namespace rondo {
namespace {

using namespace testing;

Timing of_parts_natively(Parts const& parts, Platform const& platform, std::vector<Seconds> const& arrival = {}) {
  EngineOptions options;
  options.arrival = arrival;
  Outcome const outcome = rondo::simulate_native(parts, platform, options);
  EXPECT_TRUE(outcome.result) << outcome.error;
  return outcome.result.value_or(Timing{});
}

Timing of_parts_on_smpi(Parts const& parts, Platform const& platform, std::vector<Seconds> const& arrival = {}) {
  EngineOptions options;
  options.arrival = arrival;
  Outcome const outcome = rondo::simulate_smpi(parts, platform, options);
  EXPECT_TRUE(outcome.result) << outcome.error;
  return outcome.result.value_or(Timing{});
}

constexpr std::size_t no_schedule = static_cast<std::size_t>(-1);

/// A workload of random steps: their schedules, the messages of these, and the steps.
struct RandomSteps {
  std::vector<std::vector<PlannedMessage>> planned;  ///< by schedule
  std::vector<Schedule> schedules;
  std::vector<PlacedStep> steps;
  std::vector<std::vector<std::size_t>> schedule_of;  ///< by step, by group; no_schedule if it calculates
};

std::vector<std::int32_t> some_ranks(Random& random, int ranks) {
  std::vector<std::int32_t> chosen;
  for (std::int32_t rank = 0; rank < ranks; ++rank) {
    if (random.below(4) > 0) chosen.push_back(rank);
  }
  for (std::size_t i = chosen.size(); i-- > 1;) {
    if (random.below(2) == 0) std::swap(chosen[i], chosen[random.below(i + 1)]);
  }
  if (chosen.empty()) chosen.push_back(static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(ranks))));
  return chosen;
}

/// One group of all, of some, or two halves side by side.
std::vector<GroupStep> random_groups(Random& random, int ranks) {
  std::vector<GroupStep> groups(1);
  auto const kind = random.below(3);
  if (kind == 0) {
    for (std::int32_t rank = 0; rank < ranks; ++rank) groups[0].ranks.push_back(rank);
  } else {
    groups[0].ranks = some_ranks(random, ranks);
  }
  if (kind == 2 && groups[0].ranks.size() > 1) {
    auto const half = groups[0].ranks.begin() + static_cast<std::ptrdiff_t>(groups[0].ranks.size() / 2);
    groups.push_back({nullptr, {half, groups[0].ranks.end()}});
    groups[0].ranks.erase(half, groups[0].ranks.end());
  }
  return groups;
}

RandomSteps random_steps(Random& random, int ranks, std::size_t most_messages) {
  RandomSteps all;
  auto const count = random.between(1, 5);
  for (std::int64_t i = 0; i < count; ++i) {
    PlacedStep step;
    step.groups = random_groups(random, ranks);
    for (std::int64_t before = 0; before < i; ++before) {
      if (random.below(3) == 0) step.after.push_back(at(before));
    }
    auto& which = all.schedule_of.emplace_back();
    if (random.below(4) == 0) {
      step.computing = Seconds(static_cast<double>(random.below(random.below(2) == 0 ? 4 : 9000)) * 1e-9);
      which.resize(step.groups.size(), no_schedule);
    } else {
      for (GroupStep const& group : step.groups) {
        auto planned = random_messages(random, static_cast<int>(group.ranks.size()));
        if (planned.size() > most_messages) planned.resize(most_messages);
        which.push_back(all.planned.size());
        all.schedules.push_back(testing::schedule_of(static_cast<int>(group.ranks.size()), planned));
        all.planned.push_back(std::move(planned));
      }
    }
    all.steps.push_back(std::move(step));
  }
  for (std::size_t step = 0; step < all.steps.size(); ++step) {
    for (std::size_t g = 0; g < all.steps[step].groups.size(); ++g) {
      if (all.schedule_of[step][g] == no_schedule) continue;
      all.steps[step].groups[g].schedule = &all.schedules[all.schedule_of[step][g]];
    }
  }
  return all;
}

/// The steps of a job with the ranks from `first` on, behind those of other jobs.
void add_job(RandomSteps& all, RandomSteps job, std::int32_t first) {
  std::size_t const steps = all.steps.size(), schedules = all.schedules.size();
  for (PlacedStep& step : job.steps) {
    for (std::size_t& before : step.after) before += steps;
    for (GroupStep& group : step.groups) {
      for (std::int32_t& rank : group.ranks) rank += first;
    }
    all.steps.push_back(std::move(step));
  }
  for (auto& which : job.schedule_of) {
    for (std::size_t& schedule : which) schedule += schedule == no_schedule ? 0 : schedules;
    all.schedule_of.push_back(std::move(which));
  }
  std::ranges::move(job.planned, std::back_inserter(all.planned));
  std::ranges::move(job.schedules, std::back_inserter(all.schedules));
  for (std::size_t step = 0; step < all.steps.size(); ++step) {
    for (std::size_t g = 0; g < all.steps[step].groups.size(); ++g) {
      std::size_t const schedule = all.schedule_of[step][g];
      if (schedule != no_schedule) all.steps[step].groups[g].schedule = &all.schedules[schedule];
    }
  }
}

int part_of(Parts const& parts, std::int32_t rank, std::size_t step) {
  for (std::size_t part = 0; part < parts.count(); ++part) {
    if (parts.rank_of[part] == rank && parts.step_of[part] == step) return static_cast<int>(part);
  }
  return -1;
}

/// The messages of all steps, between parts.
std::vector<PlannedMessage> planned_between(Parts const& parts, RandomSteps const& all) {
  std::vector<PlannedMessage> planned;
  for (std::size_t step = 0; step < all.steps.size(); ++step) {
    for (std::size_t g = 0; g < all.steps[step].groups.size(); ++g) {
      GroupStep const& group = all.steps[step].groups[g];
      if (group.schedule == nullptr) continue;
      for (PlannedMessage each : all.planned[all.schedule_of[step][g]]) {
        each.source = part_of(parts, group.ranks[at(each.source)], step);
        each.target = part_of(parts, group.ranks[at(each.target)], step);
        planned.push_back(each);
      }
    }
  }
  return planned;
}

std::vector<Seconds> random_arrival(Random& random, int ranks) {
  if (random.below(3) > 0) return {};
  std::vector<Seconds> arrival;
  for (int rank = 0; rank < ranks; ++rank) arrival.emplace_back(1e-9 * static_cast<double>(1000 * random.below(5)));
  return arrival;
}

void expect_due(std::vector<double> const& nanoseconds, Timing const& timing, std::string const& what) {
  ASSERT_EQ(nanoseconds.size(), timing.finish.size()) << what;
  for (std::size_t part = 0; part < nanoseconds.size(); ++part) {
    double const due = nanoseconds[part];
    ASSERT_NEAR(1e9 * timing.finish[part].value, due, 1e-9 * due) << what << ", part " << part;
  }
}

// 1 us and 1 GB/s: a message of b kB holds its ports for 1 + b us.

TEST(Parts, of_one_rank_share_its_port) {
  auto const one = testing::schedule_of(2, {{0, 1, 1, 1, 3000}});
  std::vector<PlacedStep> const steps{{{{&one, {0, 1}}}, Seconds(0), {}}, {{{&one, {0, 2}}}, Seconds(0), {}}};
  Parts const parts = compose_parts(3, steps);
  for (Timing const& timing : {of_parts_natively(parts, machine(3)), of_parts_on_smpi(parts, machine(3))}) {
    // Parts: 0 and 1 of rank 0, 2 of rank 1, 3 of rank 2. The second message waits for the port.
    EXPECT_SECONDS(timing.finish[2], 4_us);
    EXPECT_SECONDS(timing.finish[3], 8_us);
    EXPECT_SECONDS(timing.makespan, 8_us);
  }
}

TEST(Parts, of_ranks_that_share_nothing_take_the_longer_time) {
  auto const first = testing::schedule_of(2, {{0, 1, 1, 1, 3000}});
  auto const second = testing::schedule_of(2, {{1, 0, 1, 1, 9000}});
  std::vector<PlacedStep> const steps{{{{&first, {0, 1}}}, Seconds(0), {}}, {{{&second, {2, 3}}}, Seconds(0), {}}};
  Parts const parts = compose_parts(4, steps);
  for (Timing const& timing : {of_parts_natively(parts, machine(4)), of_parts_on_smpi(parts, machine(4))}) {
    EXPECT_SECONDS(timing.finish[0], 4_us);
    EXPECT_SECONDS(timing.makespan, 10_us);
  }
}

TEST(Parts, on_one_nic_share_it_max_min_fair) {
  Platform platform = machine(3);
  platform.timing = TimingModel::flow;
  auto const one = testing::schedule_of(2, {{0, 1, 1, 1, 4000}});
  auto const other = testing::schedule_of(2, {{0, 1, 1, 1, 8000}});
  std::vector<PlacedStep> const steps{{{{&one, {0, 1}}}, Seconds(0), {}}, {{{&other, {0, 2}}}, Seconds(0), {}}};
  Parts const parts = compose_parts(3, steps);
  for (Timing const& timing : {of_parts_natively(parts, platform), of_parts_on_smpi(parts, platform)}) {
    // At half the bandwidth each until 9 us; then the other 4 kB take 4 us alone.
    EXPECT_SECONDS(timing.finish[2], 9_us);
    EXPECT_SECONDS(timing.finish[3], 13_us);
  }
}

TEST(Parts, that_calculate_hold_the_cpu_under_flow_timing_alone) {
  Platform flow = machine(2);
  flow.timing = TimingModel::flow;
  flow.flow.o_send = 500_ns;
  auto const one = testing::schedule_of(2, {{0, 1, 1, 1, 1000}});
  std::vector<PlacedStep> const steps{{{{nullptr, {0}}}, 10_us, {}}, {{{&one, {0, 1}}}, Seconds(0), {}}};
  Parts const parts = compose_parts(2, steps);
  for (Timing const& timing : {of_parts_natively(parts, machine(2)), of_parts_on_smpi(parts, machine(2))}) {
    EXPECT_SECONDS(timing.finish[0], 10_us);
    EXPECT_SECONDS(timing.finish[2], 2_us);
  }
  for (Timing const& timing : {of_parts_natively(parts, flow), of_parts_on_smpi(parts, flow)}) {
    EXPECT_SECONDS(timing.finish[0], 10_us);
    EXPECT_SECONDS(timing.finish[2], 12500_ns);
  }
}

TEST(Parts, begin_when_their_rank_has_ended_what_they_are_after) {
  auto const one = testing::schedule_of(2, {{0, 1, 1, 1, 3000}});
  // Rank 2 takes no part in the first step, and rank 0 none in the second: a step without it ends for rank 0 with those
  // before.
  std::vector<PlacedStep> const steps{{{{&one, {0, 1}}}, Seconds(0), {}},
                                      {{{nullptr, {1}}}, 5_us, {0}},
                                      {{{&one, {1, 2}}}, Seconds(0), {1}},
                                      {{{nullptr, {0}}}, 1_us, {1}}};
  Parts const parts = compose_parts(3, steps);
  for (Timing const& timing : {of_parts_natively(parts, machine(3)), of_parts_on_smpi(parts, machine(3))}) {
    EXPECT_SECONDS(timing.finish[1], 5_us);   // rank 0 calculates behind the first step
    EXPECT_SECONDS(timing.finish[3], 9_us);   // rank 1
    EXPECT_SECONDS(timing.finish[5], 13_us);  // rank 2
  }
}

TEST(Parts, of_one_step_take_the_times_of_its_schedule_to_the_bit) {
  for (NamedSchedule const& each : library_schedules(700_B)) {
    std::vector<std::int32_t> ranks;
    for (std::int32_t rank = 0; rank < each.schedule.ranks; ++rank) ranks.push_back(rank);
    std::vector<PlacedStep> const steps{{{{&each.schedule, ranks}}, Seconds(0), {}}};
    Parts const parts = compose_parts(each.schedule.ranks, steps);
    Platform flow = machine(library_ranks);
    flow.timing = TimingModel::flow;
    flow.flow = {.o_send = 300_ns, .o_recv = 500_ns, .match = 10_ns, .eager = 1000_B};
    flow.reduce = Seconds(3e-10);
    for (Platform const& platform : {machine(library_ranks), flow}) {
      EngineOptions followed;
      followed.log = Log::messages;  // each message for itself
      Timing const plain = *rondo::simulate_native(each.schedule, platform, followed).result;
      Timing const as_parts = of_parts_natively(parts, platform);
      for (int r = 0; r < each.schedule.ranks; ++r) ASSERT_EQ(finish(plain, r), finish(as_parts, r)) << each.name;
    }
  }
}

void expect_exact_times(RandomSteps const& all, Platform const& platform, std::vector<Seconds> const& arrival,
                        int seed) {
  auto const ranks = static_cast<int>(rondo::ranks(platform));
  Parts const parts = compose_parts(ranks, all.steps);
  Platform const known = with_parts(platform, parts);
  auto const planned = planned_between(parts, all);
  auto const count = static_cast<int>(parts.count());
  auto const due = platform.timing == TimingModel::flow ? reference_flow_finish(count, planned, known, arrival, &parts)
                                                        : reference_finish(count, planned, known, arrival, &parts);
  expect_due(due, of_parts_natively(parts, platform, arrival), "native, seed " + std::to_string(seed));
  expect_due(due, of_parts_on_smpi(parts, platform, arrival), "smpi, seed " + std::to_string(seed));
  ASSERT_FALSE(::testing::Test::HasFailure()) << "seed " << seed;
}

TEST(Parts, take_the_times_of_the_rules_in_exact_fractions) {
  for (int seed = 1; seed <= 400 / test::sampled; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    Platform const platform = seed % 2 == 0 ? random_flow_machine(random) : random_machine(random);
    auto const ranks = static_cast<int>(rondo::ranks(platform));
    RandomSteps const all = random_steps(random, ranks, 14);
    expect_exact_times(all, platform, random_arrival(random, ranks), seed);
    if (HasFatalFailure()) return;
  }
}

TEST(Parts, of_jobs_take_the_times_of_the_rules_in_exact_fractions) {
  for (int seed = 1; seed <= 100 / test::sampled; ++seed) {
    Random random(static_cast<std::uint64_t>(5000 + seed));
    Platform const platform = seed % 2 == 0 ? random_flow_machine(random) : random_machine(random);
    auto const ranks = static_cast<std::int32_t>(rondo::ranks(platform));
    RandomSteps all;
    std::vector<Seconds> arrival;  // of each rank, when its job starts
    while (std::ssize(arrival) < ranks) {
      auto const first = static_cast<std::int32_t>(arrival.size());
      auto const own = static_cast<std::int32_t>(random.between(1, std::max(1, ranks - first)));
      add_job(all, random_steps(random, own, 8), first);
      arrival.resize(at(first + own), Seconds(1e-9 * static_cast<double>(700 * random.below(5))));
    }
    expect_exact_times(all, platform, arrival, seed);
    if (HasFatalFailure()) return;
  }
}

enum class Noisy : std::uint8_t { no, yes };

void expect_engines_agree(std::uint64_t seed, Noisy noisy = Noisy::no) {
  Random random(seed);
  Platform platform = seed % 2 == 0 ? random_flow_machine(random) : random_machine(random);
  if (seed % 3 == 0) platform = with_insides(random, platform);
  if (noisy == Noisy::yes) platform.noise = random_noise(random);
  auto const ranks = static_cast<int>(rondo::ranks(platform));
  RandomSteps const all = random_steps(random, ranks, 200);
  Parts const parts = compose_parts(ranks, all.steps);
  auto const arrival = random_arrival(random, ranks);
  Timing const native = of_parts_natively(parts, platform, arrival);
  Timing const smpi = of_parts_on_smpi(parts, platform, arrival);
  ASSERT_EQ(native.messages, smpi.messages) << "seed " << seed;
  ASSERT_EQ(native.bytes, smpi.bytes) << "seed " << seed;
  for (std::size_t part = 0; part < parts.count(); ++part) {
    ASSERT_NEAR(native.finish[part].value, smpi.finish[part].value, 1e-9 * smpi.makespan.value)
        << "seed " << seed << ", part " << part;
  }
}

TEST(Parts, take_one_time_on_both_engines) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) expect_engines_agree(seed);
}

TEST(Parts, with_noise_take_one_time_on_both_engines) {
  for (std::uint64_t seed = 2001; seed <= 2050; ++seed) expect_engines_agree(seed, Noisy::yes);
}

TEST(LongParts, take_one_time_on_both_engines_a_thousand_times) {
  for (std::uint64_t seed = 1001; seed <= 1000 + 1000 / test::thinned; ++seed) expect_engines_agree(seed);
}

/// Reductions, whose joins take the CPU's time, beside one another and beside calculations.
TEST(Parts, of_every_algorithm_beside_another_take_one_time_on_both_engines) {
  auto const library = library_schedules(700_B);
  std::size_t const stride = std::max<std::size_t>(1, library.size() / (120 / test::sampled));
  for (std::size_t i = 0; i + 1 < library.size(); i += stride) {
    Schedule const& first = library[i].schedule;
    Schedule const& second = library[(i * 7 + 3) % library.size()].schedule;
    int const ranks = std::max(first.ranks, second.ranks);
    std::vector<PlacedStep> steps{{{{&first, {}}}, Seconds(0), {}},
                                  {{{&second, {}}}, Seconds(0), {}},
                                  {{{nullptr, {0, 1, 2}}}, 3_us, {1}},
                                  {{{&first, {}}}, Seconds(0), {0, 2}}};
    for (PlacedStep& step : steps) {
      if (step.groups[0].schedule == nullptr) continue;
      for (std::int32_t rank = 0; rank < step.groups[0].schedule->ranks; ++rank) {
        step.groups[0].ranks.insert(step.groups[0].ranks.begin(), rank);
      }
    }
    Parts const parts = compose_parts(ranks, steps);
    Platform flow = machine(ranks);
    flow.timing = TimingModel::flow;
    flow.flow = {.o_send = 300_ns, .o_recv = 170_ns, .match = i % 2 == 0 ? 0_ns : 10_ns, .eager = 1000_B};
    flow.reduce = Seconds(3e-10);
    for (Platform const& platform : {machine(ranks), flow}) {
      Timing const native = of_parts_natively(parts, platform), smpi = of_parts_on_smpi(parts, platform);
      for (std::size_t part = 0; part < parts.count(); ++part) {
        ASSERT_NEAR(native.finish[part].value, smpi.finish[part].value, 1e-9 * smpi.makespan.value)
            << library[i].name << ", part " << part;
      }
    }
  }
}

}  // namespace
}  // namespace rondo
