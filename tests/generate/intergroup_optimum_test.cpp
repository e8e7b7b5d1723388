// The bounds on the rounds of an inter-group broadcast, the true optimum of every problem of up to 12 ranks, found by a
// SAT solver, and schedules: bound <= optimum <= schedule.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <utility>

#include "generate/fewest_rounds.hpp"
#include "generate/generate.hpp"
#include "sanitized.hpp"
#include "schedule/measure.hpp"
#include "theory/intergroup.hpp"

namespace rondo {
namespace {

fewest_rounds::Problem problem_between(Groups const& groups, std::vector<std::vector<int>> links) {
  fewest_rounds::Problem problem{groups.ranks(), std::move(links), {}};
  problem.targets.resize(static_cast<std::size_t>(groups.ranks()));
  for (int a = 0; a < groups.senders(); ++a) {
    for (int b = 0; b < groups.receivers(); ++b) {
      problem.targets[static_cast<std::size_t>(a)].push_back(groups.senders() + b);
    }
  }
  return problem;
}

/// For all groups of `fewest_ranks` to `most_ranks` together.
void each_of_few_ranks(int fewest_ranks, int most_ranks,
                       std::function<void(Groups const&, std::string const&)> const& check) {
  for (int n = fewest_ranks; n <= most_ranks; ++n) {
    for (int p = 1; p < n; ++p) {
      check(Groups(p, n - p), std::to_string(p) + " senders, " + std::to_string(n - p) + " receivers");
    }
  }
}

/// Sizes of groups, the smaller first, that need a round more than the bound on any links.
std::set<std::pair<int, int>> const beyond_the_bound{{2, 3}, {3, 3}, {2, 7}, {3, 7}, {4, 6},
                                                     {5, 5}, {4, 7}, {5, 6}, {5, 7}, {6, 6}};

void enclose_on_any_links(int fewest_ranks, int most_ranks) {
  each_of_few_ranks(fewest_ranks, most_ranks, [&](Groups const& groups, std::string const& name) {
    std::int64_t const bound = theory::intergroup_bounds_any(groups, 1).rounds;
    std::int64_t const optimum = fewest(problem_between(groups, fewest_rounds::any_links(groups.ranks())));
    auto const sizes = std::minmax({groups.senders(), groups.receivers()});
    EXPECT_EQ(optimum, bound + (beyond_the_bound.contains(sizes) ? 1 : 0)) << name;
    EXPECT_LE(optimum, measure(generate::intergroup_group_allgather({groups, Bytes(8)})).rounds) << name;
    EXPECT_LE(optimum, measure(generate::intergroup_root_gathering({groups, Bytes(8)})).rounds) << name;
    if (groups.senders() >= groups.receivers()) {
      EXPECT_LE(optimum, measure(generate::intergroup_receiver_allgather({groups, Bytes(8)})).rounds) << name;
    }
  });
}

TEST(IntergroupOptimum, on_any_links_of_up_to_8_ranks) { enclose_on_any_links(2, test::thinned > 1 ? 6 : 8); }
TEST(IntergroupOptimum, DISABLED_on_any_links_of_9_to_12_ranks) { enclose_on_any_links(9, 12); }

// On a ring no bound can be better: some schedule, whose messages carry any number of blocks, reaches it.
TEST(IntergroupOptimum, on_a_ring_is_the_bound) {
  each_of_few_ranks(2, test::thinned > 1 ? 9 : 16, [](Groups const& groups, std::string const& name) {
    auto const links = fewest_rounds::unit_links(Torus({groups.ranks()}));
    std::int64_t const optimum = fewest(problem_between(groups, links));
    EXPECT_EQ(theory::intergroup_bounds_ring(groups, 1, theory::RingMessages::any).rounds, optimum) << name;
    EXPECT_LE(optimum, measure(generate::intergroup_ring_optimal({groups, Bytes(8)})).rounds) << name;
    EXPECT_LE(optimum, measure(generate::intergroup_ring_allgather({groups, Bytes(8)})).rounds) << name;
  });
}

}  // namespace
}  // namespace rondo
