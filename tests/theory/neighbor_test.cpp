#include "theory/graph_collectives.hpp"

#include <gtest/gtest.h>

namespace rondo::theory {
namespace {

ProcessGraph graph(int ranks, std::vector<std::pair<int, int>> const& pairs) {
  std::vector<Edge> edges;
  for (auto const& [source, target] : pairs) edges.push_back({Rank(source), Rank(target)});
  return ProcessGraph(ranks, edges);
}

TEST(NeighborTheory, naive_sends_a_message_for_each_edge_that_leaves_its_rank) {
  // 0 -> 1 twice and 0 -> 2; 3 -> 2; self loops at 0 and 3 are copies.
  ProcessGraph const each = graph(5, {{0, 1}, {0, 0}, {0, 1}, {0, 2}, {3, 3}, {3, 2}});
  EXPECT_EQ(neighbor_naive(each), (NaiveCounts{1, 4, 3, 2}));
  EXPECT_EQ(neighbor_naive(moore(Torus({16, 16}), 2)), (NaiveCounts{1, 6144, 24, 24}));
  EXPECT_EQ(neighbor_naive(graph(2, {{0, 0}})), (NaiveCounts{0, 0, 0, 0}));
  EXPECT_EQ(neighbor_naive(graph(0, {})), (NaiveCounts{0, 0, 0, 0}));
}

TEST(NeighborTheory, single_combining_reaches_at_most_half_of_the_distinct_edges) {
  // In-degrees 3, 2, 1 and 0: 2 + 1 + 1 messages. Parallel edges and self loops count once and not at all.
  EXPECT_EQ(fewest_messages_combined_once(graph(4, {{1, 0}, {2, 0}, {3, 0}, {0, 1}, {3, 1}, {3, 1}, {3, 2}, {2, 2}})),
            4);
  EXPECT_EQ(fewest_messages_combined_once(moore(Torus({16, 16}), 2)), 3072);
  EXPECT_EQ(fewest_messages_combined_once(graph(0, {})), 0);
}

TEST(NeighborTheory, bounds_every_schedule) {
  // 0 sends to 1..8, once of them twice.
  std::vector<std::pair<int, int>> star{{0, 5}};
  for (int n = 1; n <= 8; ++n) star.push_back({0, n});
  ProcessGraph const each = graph(9, star);
  NeighborBounds const edges = neighbor_bounds(each, NeighborCollective::alltoall, 1);
  EXPECT_EQ(edges.sent.volume_blocks, 9);
  EXPECT_EQ(edges.received_blocks, 2);
  EXPECT_EQ(edges.sent.rounds, 4);  // 9 ranks in 4 doublings
  EXPECT_EQ(edges.messages, 8);
  NeighborBounds const gather = neighbor_bounds(each, NeighborCollective::allgather, 2);
  EXPECT_EQ(gather.sent.volume_blocks, 1);
  EXPECT_EQ(gather.received_blocks, 1);
  EXPECT_EQ(gather.sent.rounds, 2);  // 9 = 3^2
  EXPECT_EQ(gather.sent.chain, 2);
}

TEST(NeighborTheory, an_allgather_sends_at_least_what_the_mean_rank_receives) {
  // Moore(2,1) on 5 x 5: each of 25 ranks receives 8 blocks.
  NeighborBounds const bounds = neighbor_bounds(moore(Torus({5, 5}), 1), NeighborCollective::allgather, 1);
  EXPECT_EQ(bounds.sent.volume_blocks, 8);
  EXPECT_EQ(bounds.received_blocks, 8);
  EXPECT_EQ(bounds.sent.rounds, 4);
  EXPECT_EQ(bounds.messages, 25);
}

TEST(NeighborTheory, bounds_are_0_where_nothing_moves) {
  for (ProcessGraph const& each : {graph(0, {}), graph(1, {{0, 0}}), graph(4, {})}) {
    NeighborBounds const bounds = neighbor_bounds(each, NeighborCollective::allgather, 1);
    EXPECT_EQ(bounds.sent.volume_blocks, 0);
    EXPECT_EQ(bounds.sent.rounds, 0);
    EXPECT_EQ(bounds.received_blocks, 0);
    EXPECT_EQ(bounds.messages, 0);
  }
}

}  // namespace
}  // namespace rondo::theory
