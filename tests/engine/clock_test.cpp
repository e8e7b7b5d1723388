// What is one moment (docs/model.md): two events whose times differ by at most 1e-12 of themselves, on both engines and
// in exact fractions, whatever the sizes, bandwidths and latencies are.

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <limits>
#include <numeric>

#include "base/ids.hpp"
#include "exact_clock.hpp"
#include "generate/classical.hpp"
#include "random_machines.hpp"
#include "sanitized.hpp"
#include "schedules.hpp"

namespace rondo {
namespace {

using namespace testing;

using Planned = std::vector<PlannedMessage>;

PlannedMessage in_round(int round, int source, int target, std::int64_t bytes) {
  return {source, target, round, round, bytes};
}

Platform machine_of(int hosts, Seconds latency, double bandwidth) {
  Platform platform = machine(hosts);
  platform.latency = latency;
  platform.bandwidth = BytesPerSecond(bandwidth);
  return platform;
}

/// The makespan in seconds on both engines.
void expect_both(Schedule const& schedule, Platform const& platform, double expected) {
  EXPECT_NEAR(testing::simulate_native(schedule, platform).makespan.value, expected, 1e-9 * expected) << "native";
  EXPECT_NEAR(smpi_timing(schedule, platform).makespan.value, expected, 1e-9 * expected) << "SMPI";
}

/// An all-to-all of 5 ranks in which rank s sends 1024 * (1 + s + t) bytes to rank t.
Schedule irregular_alltoall(problem::ClassicalAlgorithm algorithm) {
  problem::Classical problem{ClassicalCollective::alltoall, 5, 1_KiB, algorithm};
  for (int source = 0; source < 5; ++source) {
    for (int target = 0; target < 5; ++target) problem.sizes.each.emplace_back(1024 * (1 + source + target));
  }
  return generate::generate(problem);
}

// Found by an implementation of docs/model.md in exact fractions that does not look into src/.
TEST(Clock, keeps_the_ties_of_an_irregular_alltoall) {
  Schedule const linear = irregular_alltoall(problem::ClassicalAlgorithm("linear"));
  expect_both(linear, machine_of(5, 1_us, 3e9), 13.192e-6);
  expect_both(linear, machine_of(5, 1_us, 12e9), 7.6453333333333e-6);
  Schedule const linear_sync = irregular_alltoall(problem::ClassicalAlgorithm("linear_sync"));
  expect_both(linear_sync, machine_of(5, 1_us, 12e9), 7.56e-6);
}

TEST(Clock, keeps_the_ties_of_a_few_messages) {
  Planned const planned{in_round(1, 0, 1, 200),  in_round(2, 0, 1, 200), in_round(1, 2, 3, 100), in_round(2, 2, 3, 300),
                        in_round(3, 2, 3, 8000), in_round(3, 0, 3, 400), in_round(4, 0, 1, 4000)};
  // Ranks 0 and 2 end their second rounds at 2 us + 400 B / 3 GB/s. Of both messages to rank 3 that of rank 0 is first.
  expect_both(schedule_of(4, planned), machine_of(4, 1_us, 3e9),
              2e-6 + 400 / 3e9 + 1e-6 + 400 / 3e9 + 1e-6 + 8000 / 3e9);
}

/// Rank 0 sends n messages in turn to rank 1, as rank 2 sends one of their bytes to rank 3; then both send to rank 4.
Planned chain(std::vector<std::int64_t> const& sizes) {
  Planned planned;
  int round = 0;
  for (std::int64_t const each : sizes) planned.push_back(in_round(++round, 0, 1, each));
  std::int64_t const sum = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
  planned.push_back(in_round(1, 2, 3, sum));
  planned.push_back(in_round(round + 1, 2, 4, sum / 100 * 80));
  planned.push_back(in_round(round + 1, 0, 4, sum / 100 * 40));
  planned.push_back(in_round(round + 2, 0, 1, sum / 100 * 40));
  return planned;
}

// Both chains take 100 n bytes. Rank 0 is first then: 40 n bytes, while its second message goes to rank 1, and 80 n.
TEST(Clock, does_not_drift_along_a_chain_of_30000_messages) {
  constexpr int n = 30'000;
  Schedule const schedule = schedule_of(5, chain(std::vector<std::int64_t>(n, 100)));
  expect_both(schedule, machine_of(5, Seconds(0), 3e9), 0.0022);
  // A latency that is no sum of few powers of two.
  Platform const with_latency = machine_of(5, 137_ns, 7e9);
  Planned const planned = chain(std::vector<std::int64_t>(n, 100));
  auto const expected = exact_finish(5, planned, with_latency);
  EXPECT_NEAR(testing::simulate_native(schedule, with_latency).finish[4].value, expected[4], 1e-9 * expected[4]);
}

TEST(LongClock, does_not_drift_along_a_chain_of_a_million_messages) {
  constexpr int n = 1'000'000;
  Schedule const schedule = schedule_of(5, chain(std::vector<std::int64_t>(n, 100)));
  for (double const bandwidth : {3e9, 7e9, 23e9, 1.7e9}) {
    double const expected = 220.0 * n / bandwidth;
    EXPECT_NEAR(testing::simulate_native(schedule, machine_of(5, Seconds(0), bandwidth)).makespan.value, expected,
                1e-9 * expected);
  }
}

/// Ranks 2 and 0 are free for rank 4 at 1000 B / 3 GB/s and, later by a part d of it, 1001 B / (3.003 / (1 + d) GB/s).
struct Race {
  Planned planned;
  Platform platform;
};

Race race(std::int64_t bytes, double d) {
  Race result{{in_round(1, 2, 3, 1000), in_round(1, 0, 1, 1001), in_round(2, 2, 4, bytes), in_round(2, 0, 4, 1),
               in_round(3, 0, 5, bytes)},
              machine_of(8, Seconds(0), 6e9)};
  result.platform.pieces = {{1000_B, Seconds(0), BytesPerSecond(3e9)},
                            {1001_B, Seconds(0), BytesPerSecond(3.003e9 / (1 + d))}};
  return result;
}

// If rank 2 is first, the one byte of rank 0 waits for its many, and then many follow. If it is one moment, rank 0 is
// first, and both send their many bytes at once.
TEST(Clock, tells_events_apart_that_differ_by_more_than_1e_12_of_their_times) {
  for (std::int64_t const bytes : {1'000'000LL, 1'000'000'000LL}) {
    for (double const d : {1e-8, 1e-9, 1e-10, 1e-11, 2e-12, 5e-13, 1e-13, 1e-15, 0.0}) {
      SCOPED_TRACE(fmt::format("{} bytes, {} apart", bytes, d));
      auto const [planned, platform] = race(bytes, d);
      double const first = 1000 / 3e9, many = static_cast<double>(bytes) / 6e9;
      expect_both(schedule_of(8, planned), platform, first + 1 / 3e9 + (d > 1e-12 ? 2 : 1) * many);
    }
  }
}

// The first and the second are one moment, the second and the third would be, the first and the third are not.
TEST(Clock, has_a_moment_open_at_its_first_event_and_no_further_than_1e_12) {
  Planned planned;
  Platform platform = machine_of(8, Seconds(0), 6e9);
  double const bandwidth = 3e9;
  platform.pieces = {{1000_B, Seconds(0), BytesPerSecond(bandwidth)},
                     {1001_B, Seconds(0), BytesPerSecond(1.001 * bandwidth / (1 + 0.7e-12))},
                     {1002_B, Seconds(0), BytesPerSecond(1.002 * bandwidth / (1 + 1.4e-12))}};
  // Ranks 4, 2 and 0 have sent, in this order; then each sends to rank 6, and rank 0 a long message to rank 7.
  planned = {in_round(1, 4, 5, 1000),  in_round(1, 2, 3, 1001),  in_round(1, 0, 1, 1002),
             in_round(2, 4, 6, 60000), in_round(2, 2, 6, 30000), in_round(2, 0, 6, 12000)};
  Schedule const schedule = schedule_of(8, planned);
  auto const due = exact_finish(8, planned, platform);
  // One moment for ranks 4 and 2, of which rank 2 is first: 30,000 B, 60,000 B. Rank 0 comes later.
  double const first = 1000 / bandwidth;
  EXPECT_NEAR(due[2], first + 30000 / 6e9, 1e-15);
  EXPECT_NEAR(due[4], first + 90000 / 6e9, 1e-15);
  EXPECT_NEAR(due[0], first + 102000 / 6e9, 1e-15);
  Timing const native = testing::simulate_native(schedule, platform);
  Timing const smpi = smpi_timing(schedule, platform);
  for (std::size_t r = 0; r < 8; ++r) {
    EXPECT_NEAR(native.finish[r].value, due[r], 1e-9 * due[r]) << r;
    EXPECT_NEAR(smpi.finish[r].value, due[r], 1e-9 * due[r]) << r;
  }
}

/// A decimal number of a few digits.
double decimal(Random& random, int digits, int least_power, int most_power) {
  std::int64_t number = 0;
  for (int i = 0; i < digits; ++i) number = 10 * number + random.between(i == 0 ? 1 : 0, 9);
  return std::stod(fmt::format("{}e{}", number, random.between(least_power, most_power)));
}

Platform any_machine(Random& random, int hosts) {
  Platform platform = machine(hosts);
  int const digits = static_cast<int>(random.between(1, 6));
  platform.bandwidth = BytesPerSecond(random.below(2) == 0 ? 1e9 * one_of<double>(random, {3, 7, 12, 23, 11.3})
                                                           : decimal(random, digits, -2, 12));
  platform.latency = Seconds(random.below(3) == 0 ? 0 : random.below(2) == 0 ? 1e-6 : decimal(random, digits, -15, 1));
  platform.ports = static_cast<int>(random.between(1, 3));
  platform.envelope = one_of<Bytes>(random, {0_B, 0_B, 17_B});
  for (auto pieces = random.between(-2, 2); pieces > 0; --pieces) {
    double const times = one_of<double>(random, {1, 1, 0.5, 3, 1.001, 1 + 1e-6, 1 + 1e-9, 1 + 1e-13});
    platform.pieces.push_back({Bytes(100 * random.between(1, 9)), random.below(2) == 0 ? platform.latency : Seconds(0),
                               BytesPerSecond(times * platform.bandwidth.value)});
  }
  std::sort(platform.pieces.begin(), platform.pieces.end(),
            [](SizePiece const& a, SizePiece const& b) { return a.up_to < b.up_to; });
  auto const same = [](SizePiece const& a, SizePiece const& b) { return a.up_to == b.up_to; };
  platform.pieces.erase(std::unique(platform.pieces.begin(), platform.pieces.end(), same), platform.pieces.end());
  return platform;
}

/// Sizes that meet again as sums of others.
std::int64_t some_size(Random& random, std::int64_t unit) {
  if (random.below(12) == 0) return 0;
  if (random.below(12) == 0) return unit * random.between(1, 1'000'000);
  return unit * random.between(1, 9);
}

Planned irregular(Random& random, int ranks, std::int64_t unit) {
  Planned planned;
  auto const kind = random.below(3);
  for (int source = 0; source < ranks; ++source) {
    for (int target = 0; target < ranks; ++target) {
      std::int64_t const sum = unit * (1 + source + target);
      if (source != target) planned.push_back(in_round(1, source, target, kind == 0 ? sum : some_size(random, unit)));
    }
  }
  for (std::size_t i = planned.size(); kind == 2 && i-- > 1;) std::swap(planned[i], planned[random.below(i + 1)]);
  return planned;
}

Planned in_some_rounds(Random& random, int ranks, std::int64_t unit) {
  Planned planned =
      random_payloads(random, ranks, static_cast<int>(random.between(1, 12)), static_cast<int>(random.between(0, 3)));
  for (PlannedMessage& each : planned) each.bytes = some_size(random, unit);
  return planned;
}

/// Chains of the same sizes in two orders, and their sum as one message; then all their ends meet.
Planned chains(Random& random, std::int64_t unit) {
  std::vector<std::int64_t> sizes;
  for (auto n = random.between(1, random.below(8) == 0 ? 3000 : 60); n > 0; --n) {
    sizes.push_back(some_size(random, 100 * unit));
  }
  Planned planned = chain(sizes);
  int const last = static_cast<int>(sizes.size());
  for (int i = 0; i < last; ++i) planned.push_back(in_round(i + 1, 5, 6, sizes[at(last - 1 - i)]));
  planned.push_back(in_round(last + 1, 5, 4, some_size(random, unit)));
  planned.push_back(in_round(last + 1, 5, 3, some_size(random, unit)));
  return planned;
}

struct ClockCase {
  int ranks;
  Planned planned;
  Platform platform;
};

ClockCase random_case(std::uint64_t seed) {
  Random random(seed);
  int const ranks = static_cast<int>(random.between(2, 9));
  std::int64_t const unit = one_of<std::int64_t>(random, {1, 7, 100, 1024, 4093});
  auto const kind = random.below(5);
  if (kind == 0) return {7, chains(random, unit), any_machine(random, 7)};
  if (kind < 3) return {ranks, irregular(random, ranks, unit), any_machine(random, ranks)};
  return {ranks, in_some_rounds(random, ranks, unit), any_machine(random, ranks)};
}

std::int64_t longest(Planned const& planned) {
  std::int64_t most = 0;
  for (PlannedMessage const& each : planned) most = std::max(most, each.bytes);
  return most;
}

/// `smpi`: whether that engine is asked too.
void expect_exact(std::uint64_t seed, bool smpi) {
  auto const [ranks, planned, platform] = random_case(seed);
  auto const expected = exact_finish(ranks, planned, platform);
  Schedule const schedule = schedule_of(ranks, planned);
  Timing const native = testing::simulate_native(schedule, platform);
  for (int rank = 0; rank < ranks; ++rank) {
    double const due = expected[at(rank)];
    ASSERT_NEAR(finish(native, rank).value, due, 1e-9 * due) << "seed " << seed << ", rank " << rank;
  }
  // MPI counts in ints.
  if (!smpi || longest(planned) > std::numeric_limits<int>::max()) return;
  Timing const other = smpi_timing(schedule, platform);
  for (int rank = 0; rank < ranks; ++rank) {
    double const due = expected[at(rank)];
    ASSERT_NEAR(finish(other, rank).value, due, 1e-9 * due) << "SMPI, seed " << seed << ", rank " << rank;
  }
}

TEST(Clock, gives_the_times_of_exact_fractions) {
  for (std::uint64_t seed = 1; seed <= 1000 / static_cast<std::uint64_t>(test::thinned); ++seed) {
    expect_exact(seed, seed % 10 == 0);
    ASSERT_FALSE(::testing::Test::HasFailure());
  }
}

TEST(LongClock, gives_the_times_of_exact_fractions_in_ten_thousand_cases) {
  for (std::uint64_t seed = 1001; seed <= 1000 + 10'000 / static_cast<std::uint64_t>(test::thinned); ++seed) {
    expect_exact(seed, seed % 5 == 0);
    ASSERT_FALSE(::testing::Test::HasFailure());
  }
}

// The two references are two programs.
TEST(Clock, has_two_references_that_agree) {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    auto const [ranks, planned, platform] = random_case(seed);
    if (planned.size() > 40) continue;
    auto const one = exact_finish(ranks, planned, platform), other = reference_finish(ranks, planned, platform);
    for (std::size_t r = 0; r < one.size(); ++r) EXPECT_NEAR(1e9 * one[r], other[r], 1e-14 * other[r]) << seed;
  }
}

}  // namespace
}  // namespace rondo
