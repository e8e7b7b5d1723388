// What belongs to the problem and not to a generator: equivalent offsets and dimension orders, judged by the counts.

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.hpp"
#include "decomposition/routes.hpp"
#include "reference.hpp"
#include "theory/isomorphic.hpp"

namespace rondo::theory {
namespace {

Neighborhood projected(Neighborhood const& neighborhood, std::size_t dimension) {
  std::vector<std::vector<int>> offsets;
  for (int i = 0; i < neighborhood.size(); ++i) offsets.push_back({neighborhood[i][dimension]});
  return Neighborhood(1, offsets);
}

TEST(ShortestWrap, has_the_recorded_optimum_in_each_dimension) {
  auto const pairs = reference::pairs("isomorphic.json", "wrap_optimum");
  EXPECT_EQ(pairs.size(), 1U);
  for (auto const& pair : pairs) {
    auto const dims = pair["request"]["dims"].get<std::vector<int>>();
    Neighborhood const given = reference::neighborhood_of(pair["request"]);
    Neighborhood const shortest = shortest_wrap(Torus(dims), given);
    for (std::size_t j = 0; j < dims.size(); ++j) {
      auto const& answer = pair["answer"]["per_dimension"][j];
      Torus const ring({dims[j]});
      EXPECT_EQ(alltoall_dimension_wise(ring, projected(given, j)).rounds, answer["D_given"]);
      EXPECT_EQ(alltoall_dimension_wise(ring, projected(given, j)).volume_blocks, answer["V_given"]);
      EXPECT_EQ(alltoall_dimension_wise(ring, projected(shortest, j)).rounds, answer["D_min"]);
      EXPECT_EQ(alltoall_dimension_wise(ring, projected(shortest, j)).volume_blocks, answer["V_at_D_min"]);
      EXPECT_EQ(alltoall_direct(ring, projected(shortest, j)).rounds, answer["direct_rounds"]);
    }
    EXPECT_EQ(alltoall_dimension_wise(Torus(dims), shortest).rounds, pair["answer"]["total"]["D_min"]);
    EXPECT_EQ(alltoall_dimension_wise(Torus(dims), shortest).volume_blocks, pair["answer"]["total"]["V_at_D_min"]);
  }
}

// p = 5, {4}: four hops ahead or one back (docs/notes.md#shortest-wrap).
TEST(ShortestWrap, goes_the_other_way_round) {
  EXPECT_EQ(shortest_wrap(Torus({5}), Neighborhood(1, {{4}}))[0][0], -1);
  EXPECT_EQ(shortest_wrap(Torus({5}), Neighborhood(1, {{10}}))[0][0], 0);
  EXPECT_EQ(shortest_wrap(Torus({4}), Neighborhood(1, {{-2}}))[0][0], 2);
}

/// D and V of the best choice between r and r - p for each residue, all 2^s of them.
std::pair<std::int64_t, std::int64_t> best_of_all_choices(int extent, Neighborhood const& neighborhood) {
  std::pair<std::int64_t, std::int64_t> best{1 << 20, 0};
  for (unsigned choice = 0; choice < 1U << neighborhood.size(); ++choice) {
    std::vector<std::vector<int>> offsets;
    for (int i = 0; i < neighborhood.size(); ++i) {
      int const r = (neighborhood[i][0] % extent + extent) % extent;
      offsets.push_back({r == 0 ? 0 : (choice >> i) & 1U ? r - extent : r});
    }
    Counts const counts = alltoall_dimension_wise(Torus({extent}), Neighborhood(1, offsets));
    best = std::min(best, {counts.rounds, counts.volume_blocks});
  }
  return best;
}

TEST(ShortestWrap, equals_the_best_of_all_choices) {
  Random random(5);
  for (int k = 0; k < 200; ++k) {
    int const extent = static_cast<int>(random.between(1, 9));
    std::vector<std::vector<int>> offsets(random.below(7));
    for (auto& offset : offsets) offset.push_back(static_cast<int>(random.between(-12, 12)));
    Neighborhood const neighborhood(1, offsets);
    Counts const counts = alltoall_dimension_wise(Torus({extent}), shortest_wrap(Torus({extent}), neighborhood));
    EXPECT_EQ(std::pair(counts.rounds, counts.volume_blocks), best_of_all_choices(extent, neighborhood)) << k;
  }
}

TEST(DimensionOrder, best_is_the_first_of_the_best_of_all_orders) {
  Random random(6);
  for (int k = 0; k < 100; ++k) {
    int const d = static_cast<int>(random.between(1, 5));
    std::vector<int> extents;
    for (int j = 0; j < d; ++j) extents.push_back(static_cast<int>(random.between(1, 6)));
    std::vector<std::vector<int>> offsets(random.below(10));
    for (auto& offset : offsets) {
      for (int j = 0; j < d; ++j) offset.push_back(static_cast<int>(random.between(-3, 3)));
    }
    Torus const torus(extents);
    Neighborhood const neighborhood(d, offsets);
    std::vector<int> order = given_dimension_order(d);
    std::vector<int> best = order;
    std::vector<int> best_direct = order;
    do {
      auto const w = [&](std::vector<int> const& o) {
        return allgather_dimension_wise(torus, neighborhood, o).volume_blocks;
      };
      auto const v = [&](std::vector<int> const& o) { return allgather_direct(torus, neighborhood, o).volume_blocks; };
      if (w(order) < w(best)) best = order;
      if (v(order) < v(best_direct)) best_direct = order;
    } while (std::next_permutation(order.begin(), order.end()));
    EXPECT_EQ(best_dimension_order(torus, neighborhood), best) << k;
    EXPECT_EQ(best_dimension_order(torus, neighborhood, Hops::direct), best_direct) << k;
  }
}

TEST(DimensionOrder, beyond_five_dimensions_takes_those_with_fewest_zeros_first) {
  Neighborhood const neighborhood(6, {{0, 1, 0, 1, 0, 0}, {0, 1, 1, 1, 1, 0}, {0, 1, 1, 0, 1, 0}});
  // Zeros per dimension: 3 0 1 1 1 3.
  EXPECT_EQ(best_dimension_order(Torus({3, 3, 3, 3, 3, 3}), neighborhood), (std::vector<int>{1, 2, 3, 4, 0, 5}));
}

// Most neighbors with the same value: 2 of 3 have c0 = 0; all have c1 = 4; c2 are all different.
TEST(DimensionOrder, paper_takes_the_most_frequent_coordinate_first) {
  EXPECT_EQ(paper_dimension_order(Neighborhood(3, {{0, 4, 1}, {0, 4, 2}, {5, 4, 3}})), (std::vector<int>{1, 0, 2}));
}

// The heuristic looks at one coordinate value only: dimensions whose hops could be shared come late.
TEST(DimensionOrder, papers_heuristic_can_cost_more_than_the_best_order) {
  Neighborhood const neighborhood(4, {{1, 0, 1, -2}, {0, -2, 0, -1}, {-1, -1, 0, -1}});  // recorded: best 7, paper 9
  Torus const torus({5, 9, 5, 9});
  EXPECT_EQ(allgather_dimension_wise(torus, neighborhood, best_dimension_order(torus, neighborhood)).volume_blocks, 7);
  EXPECT_EQ(allgather_dimension_wise(torus, neighborhood, paper_dimension_order(neighborhood)).volume_blocks, 9);
}

// Two dimensions have a coordinate that three offsets share, the third has none, so that the rule leaves two orders
// open.
TEST(DimensionOrder, papers_heuristic_costs_16_blocks_at_least_however_ties_are_broken) {
  Neighborhood const neighborhood(3, {{0, -1, 2}, {0, -1, -1}, {0, 1, 2}, {-1, 0, 1}, {2, -1, -2}, {2, 0, -2}});
  Torus const torus({7, 7, 7});
  auto const volume = [&](std::vector<int> const& order) {
    return allgather_dimension_wise(torus, neighborhood, order).volume_blocks;
  };
  EXPECT_EQ(volume(best_dimension_order(torus, neighborhood)), 11);
  EXPECT_EQ(volume({0, 1, 2}), 16);
  EXPECT_EQ(volume({1, 0, 2}), 17);
}

}  // namespace
}  // namespace rondo::theory
