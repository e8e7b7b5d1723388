#include "topology/point_cloud.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace rondo {
namespace {

TEST(PointCloud, has_as_many_points_as_asked_for_numbered_at_their_homes) {
  for (std::int64_t const points : {0, 1, 5, 1000}) {
    for (double const imbalance : {0.0, 0.2, 1.0}) {
      auto const held = points_of({points, CloudShape::uniform, {1, 1, 1}, imbalance, 3}, 7);
      ASSERT_EQ(held.size(), 7u);
      std::int64_t all = 0;
      for (int rank = 0; rank < 7; ++rank) {
        auto const& mine = held[static_cast<std::size_t>(rank)];
        all += std::ssize(mine);
        for (std::size_t i = 0; i < mine.size(); ++i) {
          EXPECT_EQ(mine[i].home, rank);
          EXPECT_EQ(mine[i].index, i);
        }
      }
      EXPECT_EQ(all, points);
    }
  }
}

TEST(PointCloud, spreads_evenly_without_imbalance_and_up_to_it_with) {
  auto const sizes = [](double imbalance) {
    std::set<std::size_t> found;
    for (auto const& mine : points_of({64000, CloudShape::uniform, {1, 1, 1}, imbalance, 3}, 64))
      found.insert(mine.size());
    return found;
  };
  EXPECT_EQ(sizes(0), std::set<std::size_t>{1000});
  // Weights lie from 0.8 to 1.2, and their mean in between.
  EXPECT_GE(*sizes(0.2).begin(), 1000 * 0.8 / 1.2 - 1);
  EXPECT_LE(*sizes(0.2).rbegin(), 1000 * 1.2 / 0.8 + 1);
  EXPECT_GT(sizes(0.2).size(), 10u);
}

TEST(PointCloud, lies_in_its_box_and_coincident_points_at_one_place) {
  for (auto const shape : {CloudShape::uniform, CloudShape::clustered, CloudShape::coincident}) {
    std::set<std::array<double, 3>> places;
    for (auto const& mine : points_of({500, shape, {4, 2, 0.5}, 0, 3}, 3)) {
      for (CloudPoint const& point : mine) {
        for (double const x : point.at) EXPECT_GE(x, 0);
        EXPECT_LE(point.at[0], 4);
        EXPECT_LE(point.at[1], 2);
        EXPECT_LE(point.at[2], 0.5);
        places.insert(point.at);
      }
    }
    EXPECT_EQ(places.size(), shape == CloudShape::coincident ? 1u : 500u);
  }
}

}  // namespace
}  // namespace rondo
