// verify against the naive replay with exact sets, on random reductions whole and broken.

#include <gtest/gtest.h>

#include "broken.hpp"
#include "reductions.hpp"
#include "sanitized.hpp"

namespace rondo {
namespace {

using namespace testing;

struct RandomReduction {
  StatedPromise promise;
  Draft draft;
};

RandomReduction random_reduction(Random& random) {
  ReductionRules const rules{random.below(2) == 0, random.below(2) == 0, false};
  int const ranks = static_cast<int>(random.between(2, 6));
  switch (random.below(5)) {
    case 0:
      return {allreduce(4, rules), recursive_doubling(4)};
    case 1:
      return {scan(ranks, 0, rules), chain_scan(ranks)};
    case 2:
      return {allreduce(ranks, {false, rules.same_bits, false}, ranks), ring_allreduce(ranks)};
    case 3:
      return {allreduce(ranks, {false, false, true}), dissemination(ranks)};
    default:
      return {allreduce(ranks, rules), random_tree(random, ranks)};
  }
}

TEST(VerifyReductionsRandom, whole_reductions_are_valid_for_the_naive_replay_too) {
  for (std::uint64_t seed = 0; seed < 500 / test::thinned; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    RandomReduction const r = random_reduction(random);
    Verdict const verdict = verify(r.draft.schedule(), r.promise);
    EXPECT_TRUE(verdict.valid()) << (verdict.violations.empty() ? "" : verdict.violations[0].text);
    expect_same(verdict, naive_verdict(r.draft.schedule(), r.promise));
    if (HasFailure()) return;
  }
}

TEST(VerifyReductionsRandom, broken_reductions_have_the_faults_of_the_naive_replay) {
  int broken = 0;
  Found kinds;
  for (std::uint64_t seed = 0; seed < 6000 / test::thinned; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    RandomReduction r = random_reduction(random);
    r.draft.promises.links = Links::any;
    for (std::uint64_t changes = random.below(3) + 1; changes > 0; --changes) {
      auto const rank = static_cast<int>(random.below(r.draft.programs.size()));
      if (random.below(2) == 0) {
        mutate_join(random, r.draft.of(rank));
        continue;
      }
      mutate(random, r.draft.of(rank), [&](int) {
        return static_cast<int>((static_cast<std::uint64_t>(rank) + 1 + random.below(r.draft.programs.size() - 1)) %
                                r.draft.programs.size());
      });
    }
    if (sends_in_round_0(r.draft)) continue;
    trim(r.draft);
    Schedule const schedule = r.draft.schedule();
    Verdict const verdict = verify(schedule, r.promise);
    broken += verdict.valid() ? 0 : 1;
    for (auto const& [fault, rank, round] : found(verdict)) kinds.insert({fault, 0, 0});
    expect_same(verdict, naive_verdict(schedule, r.promise));
    if (HasFailure()) return;
  }
  EXPECT_GT(broken, 3000 / test::thinned);
  for (Fault const fault : {Fault::missing, Fault::doubled, Fault::foreign, Fault::out_of_order, Fault::differing_bits,
                            Fault::overwritten, Fault::not_held}) {
    EXPECT_TRUE(holds(kinds, fault)) << to_string(fault) << " was never planted";
  }
}

}  // namespace
}  // namespace rondo
