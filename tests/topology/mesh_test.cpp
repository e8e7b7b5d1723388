#include "topology/torus.hpp"

#include <gtest/gtest.h>

#include "decomposition/routes.hpp"

namespace rondo {
namespace {

TEST(Mesh, has_no_neighbor_past_its_sides) {
  Torus const torus({2, 3});  // rank 5 is (1, 2)
  std::vector<int> const ahead{0, 1};
  EXPECT_EQ(add(torus, Boundary::periodic, Rank(5), ahead), Rank(3));
  EXPECT_EQ(add(torus, Boundary::open, Rank(5), ahead), std::nullopt);
  EXPECT_EQ(subtract(torus, Boundary::open, Rank(5), ahead), Rank(4));
  EXPECT_EQ(subtract(torus, Boundary::open, Rank(3), ahead), std::nullopt);
  EXPECT_EQ(subtract(torus, Boundary::periodic, Rank(3), ahead), Rank(5));
}

TEST(Mesh, keeps_offsets_that_fit_and_their_order) {
  Torus const torus({2, 3});
  EXPECT_EQ(fitting(torus, Neighborhood(2, {{1, -2}, {2, 0}, {0, 0}, {0, -3}})),
            Neighborhood(2, {{1, -2}, {0, 0}, {0, 0}, {0, 0}}));
}

TEST(Equivalent, offsets_in_dimensions_of_one_rank_are_0) {
  EXPECT_EQ(without_idle_dimensions(Torus({1, 3}), Neighborhood(2, {{4, 4}})), Neighborhood(2, {{0, 4}}));
}

}  // namespace
}  // namespace rondo
