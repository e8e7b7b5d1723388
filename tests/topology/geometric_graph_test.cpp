#include "topology/graph_generators.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "base/random.hpp"

namespace rondo {
namespace {

/// The same graph by comparing every two points.
ProcessGraph every_pair(int ranks, double degree, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::array<double, 3>> places(static_cast<std::size_t>(ranks));
  for (auto& place : places) {
    for (double& x : place) x = random.unit();
  }
  double const radius = std::cbrt(degree / (ranks - 1) * 3 / (4 * std::numbers::pi));
  std::vector<Edge> edges;
  for (int a = 0; a < ranks; ++a) {
    for (int b = 0; b < ranks; ++b) {
      auto const &x = places[static_cast<std::size_t>(a)], &y = places[static_cast<std::size_t>(b)];
      double const square =
          (x[0] - y[0]) * (x[0] - y[0]) + (x[1] - y[1]) * (x[1] - y[1]) + (x[2] - y[2]) * (x[2] - y[2]);
      if (a != b && square <= radius * radius) edges.push_back({Rank(a), Rank(b)});
    }
  }
  return {ranks, edges};
}

TEST(GeometricGraph, joins_what_lies_close_and_nothing_else) {
  for (int const ranks : {2, 3, 10, 100}) {
    for (double const degree : {0.0, 0.1, 3.0, 12.0, 50.0, 1000.0}) {
      EXPECT_EQ(geometric(ranks, degree, 5), every_pair(ranks, degree, 5)) << ranks << " " << degree;
    }
  }
}

TEST(GeometricGraph, has_the_degree_asked_for_away_from_the_faces) {
  // All neighbors of a point farther from the faces than the radius lie in the cube. 8,000 points: the mean over the
  // inner ones has a standard deviation below 1 %; past 5 % the graph is wrong.
  constexpr int ranks = 8000;
  constexpr double degree = 14;
  ProcessGraph const graph = geometric(ranks, degree, 1);
  Random random(1);
  double const radius = std::cbrt(degree / (ranks - 1) * 3 / (4 * std::numbers::pi));
  double neighbors = 0, inner = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    bool inside = true;
    for (int i = 0; i < 3; ++i) {
      double const x = random.unit();
      inside = inside && x > radius && x < 1 - radius;
    }
    if (!inside) continue;
    neighbors += static_cast<double>(graph.targets(Rank(rank)).size());
    ++inner;
  }
  EXPECT_NEAR(neighbors / inner, degree, 0.05 * degree);
}

TEST(GeometricGraph, of_one_rank_or_none_has_no_edges) {
  EXPECT_EQ(geometric(1, 10, 1).edges(), 0);
  EXPECT_EQ(geometric(0, 10, 1).edges(), 0);
  EXPECT_THROW(geometric(4, -1, 1), InputError);
  EXPECT_THROW(geometric(1 << 24, 17, 1), InputError);  // 2^28 edges would be 16 of each
}

TEST(Symmetric, has_each_edge_both_ways_once_and_no_loops) {
  std::vector<Edge> const edges{
      {Rank(2), Rank(0)}, {Rank(0), Rank(2)}, {Rank(1), Rank(1)}, {Rank(0), Rank(1)}, {Rank(0), Rank(1)}};
  std::vector<Edge> const both{{Rank(0), Rank(1)}, {Rank(0), Rank(2)}, {Rank(1), Rank(0)}, {Rank(2), Rank(0)}};
  EXPECT_EQ(symmetric(ProcessGraph(3, edges)), ProcessGraph(3, both));
}

}  // namespace
}  // namespace rondo
