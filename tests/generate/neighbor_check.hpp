#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "generate/generate.hpp"
#include "problems.hpp"
#include "schedule/measure.hpp"
#include "schedule/verify.hpp"

namespace rondo {

inline constexpr Bytes neighbor_block{8};

/// Messages that each rank sends.
inline std::vector<int> sends_of(Schedule const& schedule) {
  std::vector<int> sends;
  for (int r = 0; r < schedule.ranks; ++r) {
    Program const& program = schedule.program(Rank(r));
    int count = 0;
    for (int round = 1; round <= program.rounds(); ++round) count += static_cast<int>(program.sends(round).size());
    sends.push_back(count);
  }
  return sends;
}

inline Verdict expect_valid(Schedule const& schedule, Collective const& collective, std::string const& what) {
  Verdict const verdict = verify(schedule, collective);
  EXPECT_TRUE(verdict.valid()) << what << ": "
                               << (verdict.violations.empty() ? "not delivered" : verdict.violations[0].text);
  EXPECT_EQ(measure(schedule).rounds, schedule.rounds()) << what << ": the last round is not empty";
  return verdict;
}

/// Both collectives, naive and combined, deliver; combining sends what its pattern says and no rank sends more for it
/// than it has distinct neighbors.
inline void expect_delivered(ProcessGraph const& graph, generate::CombiningPattern const& pattern,
                             std::string const& what) {
  Schedule const gather =
      generate::neighbor_common_neighbors(test::neighbor_allgather(graph, {neighbor_block}), pattern);
  Schedule const exchange =
      generate::neighbor_common_neighbors(test::neighbor_alltoall(graph, {neighbor_block}), pattern);
  expect_valid(generate::neighbor_naive(test::neighbor_allgather(graph, {neighbor_block})), NeighborAllgather{graph},
               what + " naive");
  expect_valid(generate::neighbor_naive(test::neighbor_alltoall(graph, {neighbor_block})), NeighborAlltoall{graph},
               what + " naive");
  expect_valid(gather, NeighborAllgather{graph}, what + " allgather");
  expect_valid(exchange, NeighborAlltoall{graph}, what + " alltoall");
  std::vector<int> const sends = sends_of(gather);
  EXPECT_EQ(sends_of(exchange), sends) << what;
  EXPECT_EQ(measure(gather).messages, pattern.messages) << what;
  EXPECT_EQ(sends.empty() ? 0 : *std::max_element(sends.begin(), sends.end()), pattern.max_sends) << what;
  for (int r = 0; r < graph.ranks(); ++r) {
    EXPECT_LE(sends[static_cast<std::size_t>(r)], static_cast<int>(graph.distinct_targets(Rank(r)).size()))
        << what << " rank " << r;
  }
}

/// A graph with self loops and parallel edges: `edges` of them drawn uniformly.
inline ProcessGraph random_multigraph(Random& random, int ranks, std::uint64_t edges) {
  auto const draw = [&] { return Rank(static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(ranks)))); };
  std::vector<Edge> list(edges);
  for (Edge& edge : list) {
    edge.source = draw();
    edge.target = draw();
  }
  return ProcessGraph(ranks, list);
}

}  // namespace rondo
