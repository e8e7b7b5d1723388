#include "topology/graph_generators.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/error.hpp"

namespace rondo {
namespace {

std::vector<int> targets(ProcessGraph const& graph, int rank) {
  std::vector<int> result;
  for (Neighbor const& target : graph.targets(Rank(rank))) result.push_back(target.rank.value);
  return result;
}

TEST(SparsePattern, random_targets_are_different_others_and_reach_every_rank) {
  for (int count = 0; count < 9; ++count) {
    std::set<int> reached;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      ProcessGraph const graph = random_targets(9, count, seed);
      for (int rank = 0; rank < 9; ++rank) {
        std::vector<int> const list = targets(graph, rank);
        std::set<int> const distinct(list.begin(), list.end());
        EXPECT_EQ(distinct.size(), static_cast<std::size_t>(count));
        EXPECT_EQ(list.size(), distinct.size());
        EXPECT_FALSE(distinct.contains(rank));
        reached.insert(list.begin(), list.end());
      }
    }
    EXPECT_EQ(reached.size(), count == 0 ? 0U : 9U);
  }
  EXPECT_EQ(random_targets(9, 3, 5), random_targets(9, 3, 5));
  EXPECT_THROW(random_targets(9, 9, 1), InputError);
}

TEST(SparsePattern, hypercube_flips_each_bit_as_far_as_there_are_ranks) {
  EXPECT_EQ(targets(hypercube(8), 5), (std::vector<int>{4, 7, 1}));
  EXPECT_EQ(targets(hypercube(6), 5), (std::vector<int>{4, 1}));  // 5 xor 2 = 7 is not a rank
  EXPECT_EQ(hypercube(1).edges(), 0);
}

TEST(SparsePattern, powerlaw_has_most_ranks_with_few_targets) {
  ProcessGraph const graph = powerlaw(2000, 2, 100, 7);
  int with_one = 0;
  std::size_t most = 0;
  for (int rank = 0; rank < 2000; ++rank) {
    std::size_t const count = graph.targets(Rank(rank)).size();
    ASSERT_GE(count, 1U);
    with_one += count == 1 ? 1 : 0;
    most = std::max(most, count);
  }
  // 1 / (1 + 1/4 + 1/9 + ... + 1/100^2) = 0.61; five standard deviations of a binomial distribution are 110 ranks.
  EXPECT_NEAR(with_one, 2000 / 1.635, 110);
  EXPECT_LE(most, 100U);
  EXPECT_GT(most, 10U);
  EXPECT_EQ(powerlaw(1, 2, 1, 7).edges(), 0);
}

TEST(SparsePattern, distinct_edges_keep_self_loops) {
  std::vector<Edge> const edges{{Rank(1), Rank(0)}, {Rank(0), Rank(0)}, {Rank(1), Rank(0)}};
  ProcessGraph const graph = distinct(ProcessGraph(2, edges));
  EXPECT_EQ(graph.edges(), 2);
  EXPECT_EQ(targets(graph, 0), std::vector<int>{0});
}

}  // namespace
}  // namespace rondo
