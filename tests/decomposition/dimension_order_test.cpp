// The allgather's prefix trie, counted here node by node and apart from theory/: what the readings of Proposition 2
// give (docs/notes.md), and how near the order of many dimensions comes to the best one.

#include "decomposition/routes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "base/random.hpp"

namespace rondo {
namespace {

/// The blocks that a rank sends along a trie, by the three readings of [Traeff16, Section 3.2].
struct TrieVolumes {
  int shared = 0;  ///< the children of a node share the hops of each direction
  int edges = 0;   ///< every edge takes all its hops
  int paths = 0;   ///< every leaf takes the hops of its whole path
};

/// Nodes are prefixes of the offsets in the order of dimensions; the sets are the coordinates of their children.
TrieVolumes volumes(Neighborhood const& neighborhood, std::vector<int> const& order) {
  std::map<std::vector<int>, std::set<int>> children;
  TrieVolumes result;
  for (int i = 0; i < neighborhood.size(); ++i) {
    std::vector<int> prefix;
    for (int const dimension : order) {
      int const coordinate = neighborhood[i][static_cast<std::size_t>(dimension)];
      children[prefix].insert(coordinate);
      prefix.push_back(coordinate);
      result.paths += std::abs(coordinate);
    }
  }
  for (auto const& [prefix, coordinates] : children) {
    result.shared += std::max(*coordinates.rbegin(), 0) - std::min(*coordinates.begin(), 0);
    for (int const coordinate : coordinates) result.edges += std::abs(coordinate);
  }
  return result;
}

// Item [Traeff16, Figure 1]: holds in part: a node of level j shares j coordinates, not j - 1.
TEST(PrefixTrie, of_342_neighbors_has_three_volumes_by_three_readings) {
  TrieVolumes const counted = volumes(moore(3, 3), {0, 1, 2});
  EXPECT_EQ(counted.shared, 342);
  EXPECT_EQ(counted.edges, 684);
  EXPECT_EQ(counted.paths, 1764);
}

struct Cost {
  int chosen = 0, best = 0;
};

/// What best_dimension_order costs in six dimensions, and what the best of all 720 orders does, summed over random sets
/// of offsets from {-1, 0, 1}^6.
Cost cost_in_six_dimensions(std::size_t offsets_of_a_set) {
  Random random(6);
  Cost cost;
  for (int k = 0; k < 6; ++k) {
    std::vector<std::vector<int>> offsets(offsets_of_a_set);
    for (auto& offset : offsets) {
      for (int j = 0; j < 6; ++j) offset.push_back(static_cast<int>(random.between(-1, 1)));
    }
    Neighborhood const neighborhood(6, offsets);
    std::vector<int> order = given_dimension_order(6);
    int least = volumes(neighborhood, order).shared;
    while (std::next_permutation(order.begin(), order.end())) {
      least = std::min(least, volumes(neighborhood, order).shared);
    }
    cost.chosen += volumes(neighborhood, best_dimension_order(Torus({5, 5, 5, 5, 5, 5}), neighborhood)).shared;
    cost.best += least;
  }
  return cost;
}

// The order of more than five dimensions is a rule of thumb: the fewer the offsets, the farther from the best.
TEST(DimensionOrder, of_six_dimensions_costs_at_most_5_percent_more_than_the_best_for_60_offsets) {
  Cost const few = cost_in_six_dimensions(12), many = cost_in_six_dimensions(60);
  EXPECT_LE(many.chosen, many.best * 1.05) << many.chosen << " against " << many.best;
  EXPECT_LE(few.chosen, few.best * 1.15) << few.chosen << " against " << few.best;
  EXPECT_GT(few.chosen, few.best * 1.05) << few.chosen << " against " << few.best;
}

}  // namespace
}  // namespace rondo
