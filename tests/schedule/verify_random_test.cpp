// verify against the naive replay, and one rank against all ranks, on random schedules whole and broken.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "base/random.hpp"
#include "broken.hpp"
#include "draft.hpp"
#include "naive.hpp"
#include "sanitized.hpp"
#include "schedule/verify_parts.hpp"

namespace rondo {
namespace {

using namespace testing;

/// Extents 1 to 5 in one or two dimensions, offsets from -4 to 4: they alias, wrap around and repeat.
IsomorphicAlltoall random_collective(Random& random) {
  int const dimensions = static_cast<int>(random.between(1, 2));
  std::vector<int> extents;
  for (int j = 0; j < dimensions; ++j) extents.push_back(static_cast<int>(random.between(1, dimensions == 1 ? 6 : 4)));
  if (extents == std::vector{1}) extents[0] = 2;
  std::vector<std::vector<int>> offsets(random.below(5) + 1);
  for (auto& offset : offsets) {
    for (int j = 0; j < dimensions; ++j) offset.push_back(static_cast<int>(random.between(-4, 4)));
  }
  return {Torus(extents), Neighborhood(dimensions, offsets)};
}

Draft random_draft(Random& random, IsomorphicAlltoall const& c) {
  return random.below(3) == 0 ? straightforward(c.torus, c.neighborhood, 8_B)
                              : hop_by_hop(c.torus, c.neighborhood, 8_B);
}

TEST(VerifyRandom, whole_schedules_are_valid_for_the_naive_replay_too) {
  for (std::uint64_t seed = 0; seed < 300 / test::thinned; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    IsomorphicAlltoall const c = random_collective(random);
    Schedule const schedule = expanded(random_draft(random, c).schedule()).schedule();
    Verdict const verdict = verify(schedule, c);
    EXPECT_TRUE(verdict.valid()) << (verdict.violations.empty() ? "" : verdict.violations[0].text);
    expect_same(verdict, naive_verdict(schedule, c));
  }
}

TEST(VerifyRandom, broken_schedules_have_the_faults_of_the_naive_replay) {
  int broken = 0;
  for (std::uint64_t seed = 0; seed < 3000 / test::thinned; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    IsomorphicAlltoall const c = random_collective(random);
    if (c.torus.size() < 2) continue;
    Draft draft = expanded(random_draft(random, c).schedule());
    draft.promises.links = Links::any;  // not in the naive replay
    for (std::uint64_t changes = random.below(3) + 1; changes > 0; --changes) {
      auto const rank = static_cast<int>(random.below(draft.programs.size()));
      mutate(random, draft.of(rank), [&](int) {
        return static_cast<int>((static_cast<std::uint64_t>(rank) + 1 + random.below(draft.programs.size() - 1)) %
                                draft.programs.size());
      });
    }
    if (sends_in_round_0(draft)) continue;
    trim(draft);
    Schedule const schedule = draft.schedule();
    Verdict const verdict = verify(schedule, c);
    broken += verdict.valid() ? 0 : 1;
    expect_same(verdict, naive_verdict(schedule, c));
    if (HasFailure()) return;
  }
  EXPECT_GT(broken, 1000 / test::thinned);
}

/// The violations of rank 0, in an order that does not depend on how they were found.
std::vector<Violation> of_rank_0(Verdict const& verdict) {
  std::vector<Violation> some;
  std::copy_if(verdict.violations.begin(), verdict.violations.end(), std::back_inserter(some),
               [](Violation const& each) { return each.rank == Rank(0) && each.fault != Fault::circular_wait; });
  std::sort(some.begin(), some.end(), [](Violation const& a, Violation const& b) {
    return std::tie(a.round, a.fault, a.text) < std::tie(b.round, b.fault, b.text);
  });
  return some;
}

std::string texts(std::vector<Violation> const& violations) {
  return std::accumulate(violations.begin(), violations.end(), std::string(),
                         [](std::string all, Violation const& each) { return std::move(all) + each.text + "\n"; });
}

bool waits(Verdict const& verdict) { return holds(found(verdict), Fault::circular_wait); }

/// The same change in the one program of all ranks breaks every rank in the same way.
void expect_one_speaks_for_all(Draft const& draft, IsomorphicAlltoall const& c) {
  using namespace verification;
  Schedule const schedule = draft.schedule();
  Verdict const all = verify(expanded(schedule).schedule(), c);
  Collective const collective = c;
  MachineLimits const allowed;
  Verdict const one = judge({schedule, collective, allowed, Scope::representative, schedule.rounds()});
  EXPECT_EQ(one.delivered, all.delivered);
  EXPECT_EQ(one.redundant_blocks, all.redundant_blocks);
  EXPECT_EQ(one.valid(), all.valid());
  EXPECT_EQ(texts(of_rank_0(one)), texts(of_rank_0(all)));
  EXPECT_EQ(of_rank_0(one), of_rank_0(all));
  bool const hidden = holds(found(all), Fault::unmatched_send) || holds(found(all), Fault::unmatched_receive);
  EXPECT_TRUE(hidden || waits(one) == waits(all));

  Verdict const public_one = verify(schedule, c);
  EXPECT_EQ(public_one.violations, all.violations);
  EXPECT_EQ(public_one.violation_count, all.violation_count);
  EXPECT_EQ(public_one.delivered, all.delivered);
}

TEST(VerifyRandom, one_rank_speaks_for_all_ranks_of_whole_isomorphic_schedules) {
  for (std::uint64_t seed = 0; seed < 300 / test::thinned; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    IsomorphicAlltoall const c = random_collective(random);
    Draft const draft = random_draft(random, c);
    EXPECT_TRUE(verify(draft.schedule(), c).valid());
    if (!draft.offsets.empty()) expect_one_speaks_for_all(draft, c);
    if (HasFailure()) return;
  }
}

TEST(VerifyRandom, one_rank_speaks_for_all_ranks_of_broken_isomorphic_schedules) {
  int broken = 0;
  for (std::uint64_t seed = 0; seed < 2000 / test::thinned; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    IsomorphicAlltoall const c = random_collective(random);
    Draft draft = random_draft(random, c);
    if (draft.offsets.empty()) continue;
    auto const dimensions = static_cast<std::size_t>(c.torus.dimensions());
    mutate(random, draft.of(0), [&](int) { return static_cast<int>(random.below(draft.offsets.size() / dimensions)); });
    if (sends_in_round_0(draft)) continue;
    trim(draft);
    if (seed % 3 == 0) draft.promises.links = Links::unit;
    expect_one_speaks_for_all(draft, c);
    broken += verify(draft.schedule(), c).valid() ? 0 : 1;
    if (HasFailure()) return;
  }
  EXPECT_GT(broken, 500 / test::thinned);
}

}  // namespace
}  // namespace rondo
