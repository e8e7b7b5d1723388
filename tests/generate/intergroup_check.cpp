#include "intergroup_check.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace rondo {

Seconds finish_time(Schedule const& schedule, theory::LinearCost const& cost) {
  std::vector<Seconds> done(static_cast<std::size_t>(schedule.ranks));
  for (int round = 1; round <= schedule.rounds(); ++round) {
    std::vector<Seconds> const before = done;
    for (int r = 0; r < schedule.ranks; ++r) {
      Program const& program = schedule.program(Rank(r));
      if (round > program.rounds()) continue;
      for (Transfer const& send : program.sends(round)) {
        auto const from = static_cast<std::size_t>(r);
        auto const to = static_cast<std::size_t>(schedule.peer(Rank(r), send).value);
        Seconds const end = std::max(before[from], before[to]) + cost.alpha + program.bytes(send) / cost.bandwidth;
        done[from] = std::max(done[from], end);
        done[to] = std::max(done[to], end);
      }
    }
  }
  return *std::max_element(done.begin(), done.end());
}

Verdict expect_as_in_theory(Schedule const& schedule, IntergroupPromise const& promise,
                            theory::IntergroupCounts const& counts, theory::IntergroupBounds const& bounds,
                            std::string const& what, int ports) {
  Verdict verdict = verify(schedule, promise);
  EXPECT_TRUE(verdict.valid()) << what << ": "
                               << (verdict.violations.empty() ? "not delivered" : verdict.violations[0].text);
  Measures const measures = measure(schedule);
  EXPECT_EQ(measures.rounds, counts.rounds) << what;
  EXPECT_EQ(measures.critical_bytes, counts.critical_bytes) << what;
  EXPECT_EQ(measures.total_bytes, counts.total_bytes) << what;
  auto const near = [&](double measured, double predicted) {
    EXPECT_NEAR(measured, predicted, 1e-9 * predicted) << what;
  };
  near(measures.critical_blocks, counts.critical_blocks);
  near(measures.total_blocks, counts.total_blocks);
  near(measures.received_blocks, counts.received_blocks);
  EXPECT_LE(measures.ports, ports) << what;

  EXPECT_GE(measures.rounds, bounds.rounds) << what;
  EXPECT_GE(measures.critical_blocks, bounds.critical_blocks * (1 - 1e-9)) << what;
  EXPECT_GE(measures.total_blocks, static_cast<double>(bounds.total_blocks) * (1 - 1e-9)) << what;
  EXPECT_GE(measures.received_blocks, static_cast<double>(bounds.received_blocks) * (1 - 1e-9)) << what;

  double const finish = finish_time(schedule, intergroup_cost).value;
  double const predicted = theory::time(counts, Bytes(0), intergroup_cost).value;
  Bytes const block = schedule.program(Rank(0)).layout().block;
  EXPECT_LE(finish, predicted * (1 + 1e-9)) << what;
  if (counts.exact_time) {
    EXPECT_GE(finish, predicted * (1 - 1e-9)) << what;
  }
  EXPECT_GE(finish, theory::time_bound(bounds, block, intergroup_cost).value * (1 - 1e-9)) << what;
  return verdict;
}

}  // namespace rondo
