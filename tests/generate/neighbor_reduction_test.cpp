// Reductions on process graphs that combine: proved on random graphs and neighborhoods, with the counts of patterns and
// of theory.

#include <gtest/gtest.h>

#include <numeric>

#include "generate/isomorphic_cases.hpp"
#include "neighbor_check.hpp"
#include "theory/predict.hpp"
#include "topology/process_graph.hpp"

namespace rondo {
namespace {

using generate::CombiningPattern;
using generate::CommonNeighbors;
using problem::NeighborAlgorithm;

std::int64_t parallel_edges(ProcessGraph const& graph) {
  std::int64_t further = 0;
  for (int r = 0; r < graph.ranks(); ++r) {
    std::int64_t others = 0;
    for (Neighbor const& target : graph.targets(Rank(r))) others += target.rank != Rank(r);
    further += others - std::ssize(graph.distinct_targets(Rank(r)));
  }
  return further;
}

/// Delivered; as many messages as the pattern says beside those of parallel edges; while friends combine once, each of
/// one block.
void expect_combined(ProcessGraph const& graph, CommonNeighbors const& options, std::string const& what) {
  CombiningPattern const pattern = generate::common_neighbors(graph, options);
  Schedule const schedule =
      generate::neighbor_reduction_combined(test::neighbor_allgather(graph, {neighbor_block}), pattern);
  expect_valid(schedule, NeighborReduction{graph}, what);
  Measures const measures = measure(schedule);
  EXPECT_EQ(measures.messages, pattern.messages + parallel_edges(graph)) << what;
  if (pattern.combining == generate::Combining::single) {
    EXPECT_EQ(measures.total_blocks, static_cast<double>(measures.messages)) << what;
  }
  if (parallel_edges(graph) > 0) return;
  std::vector<int> const sends = sends_of(schedule);
  EXPECT_EQ(*std::max_element(sends.begin(), sends.end()), pattern.max_sends) << what;
}

void expect_combined_once_and_again(ProcessGraph const& graph, int theta, std::string const& what) {
  CommonNeighbors options;
  options.theta = theta;
  expect_combined(graph, options, what);
  options.combining = generate::Combining::cumulative;
  expect_combined(graph, options, what + " cumulative");
}

TEST(CombinedReductions, are_proved_on_300_random_graphs) {
  Random random(1703);
  for (int k = 0; k < 300 / test::thinned; ++k) {
    int const p = static_cast<int>(random.between(1, 48));
    ProcessGraph const graph = erdos_renyi(p, random.unit(), random.bits());
    expect_combined_once_and_again(graph, static_cast<int>(random.between(2, 6)), "case " + std::to_string(k));
  }
}

TEST(CombinedReductions, are_proved_on_100_multigraphs_with_self_loops) {
  Random random(1704);
  for (int k = 0; k < 100; ++k) {
    int const p = static_cast<int>(random.between(1, 24));
    ProcessGraph const graph = random_multigraph(random, p, random.below(static_cast<std::uint64_t>(p * p)) + 1);
    expect_combined_once_and_again(graph, static_cast<int>(random.between(2, 4)), "case " + std::to_string(k));
  }
}

TEST(CombinedReductions, send_half_of_a_complete_bipartite_graph) {
  // 2 ranks that each send to the same 8: an exchange each way, and 4 + 4 joined blocks for 16.
  std::vector<Edge> edges;
  for (int target = 2; target < 10; ++target) {
    edges.push_back({Rank(0), Rank(target)});
    edges.push_back({Rank(1), Rank(target)});
  }
  ProcessGraph const graph(10, edges);
  Schedule const schedule = generate::neighbor_reduction_combined(test::neighbor_allgather(graph, {neighbor_block}),
                                                                  generate::common_neighbors(graph));
  EXPECT_EQ(measure(schedule).messages, 10);
  EXPECT_EQ(measure(schedule).total_blocks, 10);
  EXPECT_EQ(measure(schedule).volume_blocks, 5);
  expect_valid(schedule, NeighborReduction{graph}, "two to eight");
}

problem::SparseOnGraph on_torus(isomorphic_cases::Case const& c, int ports) {
  problem::SparseOnGraph problem;
  problem.graph = problem::OffsetsGraph{c.torus, c.neighborhood};
  problem.torus = problem::on_torus(problem.graph);
  problem.graph = made(problem.graph);
  problem.block = Bytes(8);
  problem.algorithm = NeighborAlgorithm::dimension_wise;
  problem.ports = ports;
  return problem;
}

/// Proved, with the rounds, volumes and messages that theory states.
void expect_predicted(problem::SparseOnGraph const& problem, std::string const& what) {
  Schedule const schedule = generate::generate(problem);
  expect_valid(schedule, generate::promise(problem), what);
  EXPECT_EQ(schedule.promises.ports, problem.ports) << what;
  theory::MachineCost cost{{Seconds(1e-6), BytesPerSecond(1e9)}, {Seconds(1e-6), BytesPerSecond(1e9)}, problem.ports};
  Prediction const prediction = theory::predict(problem, cost);
  Measures const measures = measure(schedule);
  // On several ports a search may find the rounds.
  EXPECT_EQ(measures.rounds, prediction.theory.rounds.value_or(measures.rounds)) << what;
  EXPECT_TRUE(prediction.theory.rounds || (problem.ports > 1 && prediction.accounted)) << what;
  EXPECT_EQ(measures.volume_blocks, prediction.theory.volume_blocks) << what;
  EXPECT_EQ(measures.total_blocks, prediction.theory.total_blocks) << what;
  EXPECT_EQ(measures.received_blocks, prediction.theory.received_blocks.value_or(measures.received_blocks)) << what;
  EXPECT_EQ(measures.messages, prediction.theory.messages.value_or(measures.messages)) << what;
  EXPECT_GE(measures.rounds, prediction.bound.rounds.value_or(0)) << what;
  EXPECT_GE(measures.volume_blocks, prediction.bound.volume_blocks.value_or(0)) << what;
}

TEST(CartesianReductions, are_proved_with_theorys_counts_on_random_neighborhoods) {
  Random random(2016);
  for (int k = 0; k < isomorphic_cases::random_cases; ++k) {
    auto const c = isomorphic_cases::random_case(random, k);
    for (int const ports : {1, 2, 4}) {
      problem::SparseOnGraph problem = on_torus(c, ports);
      std::string const what = c.name + " on " + std::to_string(ports) + " ports";
      expect_predicted(problem, what);
      problem.collective = SparseCollective::reduce;
      problem.root = k % c.torus.size();
      expect_predicted(problem, what + " to a root");
    }
  }
}

TEST(CartesianReductions, take_the_hops_of_the_prefix_tree) {
  // Radius 1 in 3 dimensions: 6 rounds for 26 messages; 2 + 3 * 2 + 9 * 2 blocks, one for each of the 26.
  isomorphic_cases::Case const c{"Moore(3,1)", Torus({4, 5, 6}), moore(3, 1), {}};
  Measures const measures = measure(generate::generate(on_torus(c, 1)));
  EXPECT_EQ(measures.rounds, 6);
  EXPECT_EQ(measures.volume_blocks, 26);
  EXPECT_EQ(measures.messages, 6 * 120);
}

TEST(CartesianReductions, count_an_offset_as_often_as_it_is_listed) {
  // Twice the same neighbor, twice the rank itself, and an alias of the neighbor on a ring of 5.
  isomorphic_cases::Case const c{"duplicates", Torus({5}), Neighborhood(1, {{1}, {1}, {0}, {5}, {-4}}), {}};
  problem::SparseOnGraph const problem = on_torus(c, 1);
  Schedule const schedule = generate::generate(problem);
  expect_valid(schedule, generate::promise(problem), c.name);
  EXPECT_EQ(measure(schedule).volume_blocks, 1);
  std::vector<Owed> const owed_by = owed(generate::promise(problem), Rank(0));
  ASSERT_EQ(owed_by.size(), 1u);
  EXPECT_EQ(owed_by[0].contributions(), 5u);
}

}  // namespace
}  // namespace rondo
