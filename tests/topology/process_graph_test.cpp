#include "topology/process_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <set>
#include <string>

#include "base/error.hpp"
#include "base/random.hpp"
#include "topology/neighborhood.hpp"

namespace rondo {
namespace {

std::vector<Edge> edges(std::vector<std::pair<int, int>> const& pairs) {
  std::vector<Edge> result;
  for (auto const& [source, target] : pairs) result.push_back({Rank(source), Rank(target)});
  return result;
}

std::vector<int> ranks(std::span<Neighbor const> neighbors) {
  std::vector<int> result;
  for (Neighbor const& each : neighbors) result.push_back(each.rank.value);
  return result;
}

std::vector<int> values(std::vector<Rank> const& list) {
  std::vector<int> result;
  for (Rank const rank : list) result.push_back(rank.value);
  return result;
}

template <typename Make>
std::string refusal(Make const& make) {
  try {
    make();
  } catch (InputError const& error) {
    return error.what();
  }
  return "accepted";
}

/// Each edge of `wanted`, in order, stands once at its source and once at its target, and the two name each other.
void expect_edges(ProcessGraph const& graph, std::vector<Edge> wanted) {
  ASSERT_EQ(graph.edges(), static_cast<std::int64_t>(wanted.size()));
  std::stable_sort(wanted.begin(), wanted.end(), [](Edge const& a, Edge const& b) { return a.source < b.source; });
  std::size_t next = 0;
  std::int64_t received = 0;
  for (std::int32_t r = 0; r < graph.ranks(); ++r) {
    EXPECT_EQ(graph.first_edge(Rank(r)), static_cast<std::int64_t>(next));
    auto const targets = graph.targets(Rank(r));
    for (std::uint32_t i = 0; i < targets.size(); ++i) {
      EXPECT_EQ((Edge{Rank(r), targets[i].rank}), wanted[next++]);
      EXPECT_EQ(graph.sources(targets[i].rank)[targets[i].slot], (Neighbor{Rank(r), i}));
    }
    auto const sources = graph.sources(Rank(r));
    EXPECT_TRUE(std::is_sorted(sources.begin(), sources.end())) << "by source, then as listed there";
    received += static_cast<std::int64_t>(sources.size());
  }
  EXPECT_EQ(received, graph.edges());
}

TEST(ProcessGraph, keeps_targets_as_listed_and_sources_ascending) {
  ProcessGraph const graph(4, edges({{2, 0}, {0, 3}, {0, 1}, {1, 0}, {3, 0}}));
  EXPECT_EQ(graph.ranks(), 4);
  EXPECT_EQ(ranks(graph.targets(Rank(0))), (std::vector<int>{3, 1}));
  EXPECT_EQ(ranks(graph.sources(Rank(0))), (std::vector<int>{1, 2, 3}));
  expect_edges(graph, edges({{2, 0}, {0, 3}, {0, 1}, {1, 0}, {3, 0}}));
}

TEST(ProcessGraph, has_self_loops_parallel_edges_and_isolated_ranks) {
  std::vector<Edge> const list = edges({{0, 2}, {0, 0}, {0, 2}, {2, 0}, {0, 0}, {2, 2}});
  ProcessGraph const graph(4, list);
  expect_edges(graph, list);
  EXPECT_EQ(ranks(graph.targets(Rank(0))), (std::vector<int>{2, 0, 2, 0}));
  EXPECT_EQ(ranks(graph.sources(Rank(2))), (std::vector<int>{0, 0, 2}));
  EXPECT_EQ(graph.sources(Rank(2))[1].slot, 2u);  // the second of the parallel edges is target 2 of rank 0
  EXPECT_EQ(values(graph.distinct_targets(Rank(0))), (std::vector<int>{2}));
  EXPECT_EQ(values(graph.distinct_sources(Rank(2))), (std::vector<int>{0}));
  for (int const isolated : {1, 3}) {
    EXPECT_TRUE(graph.targets(Rank(isolated)).empty());
    EXPECT_TRUE(graph.sources(Rank(isolated)).empty());
    EXPECT_TRUE(graph.distinct_targets(Rank(isolated)).empty());
  }
}

TEST(ProcessGraph, may_have_no_rank_and_no_edge) {
  EXPECT_EQ(ProcessGraph(0, {}).ranks(), 0);
  EXPECT_EQ(ProcessGraph(3, {}).ranks(), 3);
  EXPECT_EQ(ProcessGraph(3, {}).edges(), 0);
  EXPECT_EQ(ProcessGraph(1, edges({{0, 0}})).edges(), 1);
}

TEST(ProcessGraph, lists_random_multigraphs_from_both_ends) {
  Random random(7);
  for (int k = 0; k < 100; ++k) {
    int const p = static_cast<int>(random.between(1, 12));
    std::vector<Edge> list(random.below(60));
    for (Edge& edge : list) {
      edge.source = Rank(static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(p))));
      edge.target = Rank(static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(p))));
    }
    expect_edges(ProcessGraph(p, list), list);
  }
}

TEST(ProcessGraph, refuses_edges_to_no_rank) {
  EXPECT_EQ(refusal([] {
              ProcessGraph(3, edges({{0, 1}, {1, 3}}));
            }),
            "edge 1 from 1 to 3: expected ranks from 0 to 2, got 3");
  EXPECT_EQ(refusal([] {
              ProcessGraph(3, edges({{-1, 1}}));
            }),
            "edge 0 from -1 to 1: expected ranks from 0 to 2, got -1");
  EXPECT_EQ(refusal([] { ProcessGraph(-1, {}); }), "expected a number of ranks from 0 to 16777216, got -1");
}

TEST(ProcessGraph, compares_by_value_and_copies_share) {
  ProcessGraph const graph(3, edges({{0, 1}, {1, 2}}));
  ProcessGraph const copy = graph;
  EXPECT_EQ(copy.targets(Rank(0)).data(), graph.targets(Rank(0)).data());
  EXPECT_EQ(ProcessGraph(3, edges({{1, 2}, {0, 1}})), graph);
  EXPECT_NE(ProcessGraph(3, edges({{0, 1}, {0, 2}})), graph);
  EXPECT_NE(ProcessGraph(4, edges({{0, 1}, {1, 2}})), graph);
}

// The draws of Random(1), by hand: splitmix64 from seed 1 begins 0x910a2dec89025cc1 (0.567), 0xbeeb8da1658eec67
// (0.746), 0xf893a2eefb32555e (0.971), 0x71c18690ee42c90b (0.444). With u = 1 - these, 0.433, 0.254, 0.029, 0.556, and
// q = 0.7 the skips are floor(ln u / ln q): 2, 3, 9, so that of the pairs 01 02 10 12 20 21 those numbered 2 and
// 2 + 1 + 3 = 6 are drawn, and the latter is past the end.
TEST(ErdosRenyi, skips_from_edge_to_edge_in_row_order) {
  EXPECT_EQ(erdos_renyi(3, 0.3, 1), ProcessGraph(3, edges({{1, 0}})));
  // With q = 0.3: 0, 1, 2, 0: the pairs 0, 2, 5, and one past the end.
  EXPECT_EQ(erdos_renyi(3, 0.7, 1), ProcessGraph(3, edges({{0, 1}, {1, 0}, {2, 1}})));
}

// Each of the 64 graphs of three ranks has probability d^edges (1-d)^(6-edges), whatever way it is drawn.
TEST(ErdosRenyi, draws_each_graph_with_its_probability) {
  for (double const density : {0.1, 0.5, 0.85}) {
    constexpr int draws = 64'000;
    std::array<int, 64> drawn{};
    for (int seed = 0; seed < draws; ++seed) {
      ProcessGraph const graph = erdos_renyi(3, density, Random(static_cast<std::uint64_t>(seed)).bits());
      unsigned bits = 0;
      for (std::int32_t r = 0; r < 3; ++r) {
        for (Neighbor const& target : graph.targets(Rank(r))) {
          bits |= 1u << (2 * r + target.rank.value - (target.rank.value > r ? 1 : 0));
        }
      }
      ++drawn[bits];
    }
    double chi_squared = 0;
    for (unsigned bits = 0; bits < drawn.size(); ++bits) {
      int const there = std::popcount(bits);
      double const expected = draws * std::pow(density, there) * std::pow(1 - density, 6 - there);
      chi_squared += (drawn[bits] - expected) * (drawn[bits] - expected) / expected;
    }
    // 63 degrees of freedom: mean 63, standard deviation sqrt(126) = 11.2; past 115 once in 10,000 seeds, and these are
    // fixed.
    EXPECT_LT(chi_squared, 115) << density;
    EXPECT_GT(chi_squared, 30) << density;
  }
}

TEST(ErdosRenyi, of_a_million_ranks_takes_the_time_of_its_edges) {
  int const p = 1 << 20;
  ProcessGraph const graph = erdos_renyi(p, 1e-6, 5);
  double const expected = 1e-6 * p * (p - 1.0);  // 1,099,510.6, standard deviation 1049
  EXPECT_NEAR(static_cast<double>(graph.edges()), expected, 5 * 1049);
  // Evenly: half of them lie in the first half of the ranks, give or take five standard deviations of 524.
  std::int64_t const half = graph.first_edge(Rank(p / 2));
  EXPECT_NEAR(static_cast<double>(half), static_cast<double>(graph.edges()) / 2, 5 * 524);
}

TEST(ErdosRenyi, has_no_self_loop_and_about_the_density) {
  ProcessGraph const graph = erdos_renyi(400, 0.05, 3);
  double const expected = 0.05 * 400 * 399;  // 7980, standard deviation 87
  EXPECT_NEAR(static_cast<double>(graph.edges()), expected, 5 * 87);
  for (std::int32_t r = 0; r < 400; ++r) {
    EXPECT_EQ(graph.distinct_targets(Rank(r)).size(), graph.targets(Rank(r)).size());
  }
  EXPECT_EQ(erdos_renyi(400, 0.05, 3), graph);
  EXPECT_NE(erdos_renyi(400, 0.05, 4), graph);
}

TEST(ErdosRenyi, is_empty_at_0_and_complete_at_1) {
  EXPECT_EQ(erdos_renyi(20, 0, 1).edges(), 0);
  EXPECT_EQ(erdos_renyi(20, 1, 1).edges(), 20 * 19);
  EXPECT_EQ(erdos_renyi(0, 0.5, 1).ranks(), 0);
  EXPECT_EQ(erdos_renyi(1, 1, 1).edges(), 0);
}

TEST(ErdosRenyi, refuses_what_is_no_density) {
  EXPECT_EQ(refusal([] { erdos_renyi(3, 1.5, 1); }), "expected a density from 0 to 1, got 1.5");
  EXPECT_EQ(refusal([] { erdos_renyi(3, -0.1, 1); }), "expected a density from 0 to 1, got -0.1");
  EXPECT_EQ(refusal([] { erdos_renyi(-3, 0.5, 1); }),
            "expected a number of ranks from 0 to 16777216 for a random graph, got -3");
  EXPECT_EQ(refusal([] { erdos_renyi(16777217, 0, 1); }),
            "expected a number of ranks from 0 to 16777216 for a random graph, got 16777217");
  EXPECT_EQ(refusal([] { erdos_renyi(65536, 0.5, 1); }),
            "a process graph has at most 268435456 edges; 65536 ranks of density 0.5 have 2147450880");
}

// Item [Mirsadeghi17, Manhattan distance]: wrong: (2R + 1)^D - 1 neighbors are those within the Chebyshev distance R.
TEST(MooreGraph, joins_all_within_the_chebyshev_distance) {
  Torus const torus({5, 7});
  ProcessGraph const graph = moore(torus, 2);
  EXPECT_EQ(graph.edges(), 35 * 24);
  for (std::int32_t r = 0; r < 35; ++r) {
    std::set<Rank> wanted;
    for (int x = -2; x <= 2; ++x) {
      for (int y = -2; y <= 2; ++y) wanted.insert(torus.add(Rank(r), std::vector<int>{x, y}));
    }
    wanted.erase(Rank(r));
    std::vector<Rank> const targets = graph.distinct_targets(Rank(r));
    EXPECT_EQ(std::set<Rank>(targets.begin(), targets.end()), wanted);
    EXPECT_EQ(targets, graph.distinct_sources(Rank(r)));
  }
}

TEST(MooreGraph, lists_nobody_twice_on_a_small_torus) {
  EXPECT_EQ(moore(Torus({2, 2}), 3).edges(), 4 * 3);  // complete
  EXPECT_EQ(moore(Torus({1, 3}), 1).edges(), 3 * 2);
  EXPECT_EQ(moore(Torus({1}), 4).edges(), 0);
  EXPECT_EQ(moore(Torus({4, 4}), 0).edges(), 0);
  EXPECT_EQ(moore(Torus({24}), 1 << 20).edges(), 24 * 23);
}

TEST(MooreGraph, has_the_order_of_the_neighborhood_without_what_comes_again) {
  for (std::vector<int> const& extents : {std::vector<int>{5}, {4}, {3, 4}, {2, 7}, {1, 5, 2}, {}}) {
    Torus const torus(extents);
    for (int radius = 0; radius <= 4; ++radius) {
      Neighborhood const offsets = moore(torus.dimensions(), radius);
      ProcessGraph const graph = moore(torus, radius);
      for (std::int32_t r = 0; r < torus.size(); ++r) {
        std::vector<int> wanted;
        for (int i = 0; i < offsets.size(); ++i) {
          int const target = torus.add(Rank(r), offsets[i]).value;
          if (target != r && std::find(wanted.begin(), wanted.end(), target) == wanted.end()) wanted.push_back(target);
        }
        EXPECT_EQ(ranks(graph.targets(Rank(r))), wanted) << "radius " << radius;
      }
    }
  }
}

TEST(MooreGraph, refuses_more_edges_than_a_graph_has_before_it_makes_them) {
  // (2*5+1)^2 - 1 = 120 neighbors of 2^24 ranks
  EXPECT_EQ(refusal([] {
              moore(Torus({4096, 4096}), 5);
            }),
            "a process graph has at most 268435456 edges; 16777216 ranks with 120 neighbors each have 2013265920");
  EXPECT_EQ(refusal([] { moore(Torus({1 << 15}), 1 << 20); }),
            "a process graph has at most 268435456 edges; 32768 ranks with 32767 neighbors each have 1073709056");
  EXPECT_EQ(refusal([] { moore(Torus({3}), -1); }), "a radius must be an integer from 0 to 1048576, got -1");
}

}  // namespace
}  // namespace rondo
