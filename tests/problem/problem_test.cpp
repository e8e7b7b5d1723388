// From a problem alone: its schedule, the promise that the schedule keeps, and what theory says of it.

#include "problem/problem.hpp"

#include <gtest/gtest.h>

#include "generate/generate.hpp"
#include "problems.hpp"
#include "schedule/measure.hpp"
#include "schedule/verify.hpp"
#include "theory/predict.hpp"
#include "topology/graph_generators.hpp"

namespace rondo {
namespace {

using problem::NeighborCollective;

theory::MachineCost const machine{{Seconds(1e-6), BytesPerSecond(1e9)}, {Seconds(1e-6), BytesPerSecond(1e9)}};

/// The schedule keeps the promise, and has the rounds that theory says, where it says any, and no fewer than its bound.
template <typename Problem>
void expect_kept(Problem const& problem, std::string const& what) {
  Schedule const schedule = generate::generate(problem);
  EXPECT_TRUE(verify(schedule, generate::promise(problem)).valid()) << what;
  Prediction const prediction = theory::predict(problem, machine);
  Measures const measures = measure(schedule);
  EXPECT_EQ(measures.rounds, prediction.theory.rounds.value_or(measures.rounds)) << what;
  EXPECT_GE(measures.messages, prediction.bound.messages.value_or(0)) << what;
  EXPECT_EQ(problem::ranks(problem), schedule.ranks) << what;
}

TEST(Problem, every_isomorphic_algorithm_keeps_its_promise_on_a_torus) {
  for (auto const collective : {NeighborCollective::alltoall, NeighborCollective::allgather}) {
    for (auto const algorithm : isomorphic_algorithms(collective)) {
      problem::Isomorphic problem = test::alltoall(Torus({4, 3}), moore(2, 1), Bytes(8));
      problem.collective = collective;
      problem.algorithm = algorithm;
      expect_kept(problem, enum_name(algorithm));
      EXPECT_EQ(problem::algorithm(problem), enum_name(algorithm));
    }
  }
}

TEST(Problem, every_algorithm_that_knows_meshes_keeps_its_promise_there) {
  for (auto const collective : {NeighborCollective::alltoall, NeighborCollective::allgather}) {
    for (auto const algorithm : mesh_algorithms(collective)) {
      problem::Isomorphic problem = test::alltoall(Torus({4, 3}), moore(2, 1), Bytes(8));
      problem.collective = collective;
      problem.algorithm = algorithm;
      problem.boundary = Boundary::open;
      expect_kept(problem, enum_name(algorithm));
    }
  }
}

TEST(Problem, every_intergroup_algorithm_keeps_its_promise) {
  for (auto const& [algorithm, word] : enum_names<problem::IntergroupAlgorithm>) {
    for (auto const& [broadcast, form] : enum_names<problem::Broadcast>) {
      // The receivers alone allgather where there are enough senders.
      bool const many = algorithm == problem::IntergroupAlgorithm::receiver_allgather;
      problem::Intergroup problem{many ? Groups(6, 4) : Groups(4, 6), Bytes(8)};
      problem.algorithm = algorithm;
      problem.broadcast = broadcast;
      expect_kept(problem, std::string(word) + " " + std::string(form));
    }
  }
}

TEST(Problem, every_collective_on_a_process_graph_keeps_its_promise) {
  ProcessGraph const graph = erdos_renyi(20, 0.4, 1);
  for (auto const algorithm : {problem::NeighborAlgorithm::naive, problem::NeighborAlgorithm::common_neighbors}) {
    for (problem::Neighbor problem :
         {test::neighbor_allgather(graph, Bytes(8)), test::neighbor_alltoall(graph, Bytes(8))}) {
      problem.algorithm = algorithm;
      expect_kept(problem, enum_name(algorithm));
    }
  }
  for (auto const& [kind, word] : enum_names<problem::Kind>) {
    auto const collective = problem::sparse_collective(kind);
    if (collective)
      expect_kept(problem::SparseOnGraph{*collective, WeightedGraph{graph}, 3, Bytes(8)}, std::string(word));
  }
}

TEST(Problem, dimension_orders_are_those_of_the_algorithms_hops) {
  problem::Isomorphic problem = test::allgather(Torus({9, 9}), Neighborhood(2, {{1, 4}, {2, 4}, {3, 4}}), Bytes(8));
  EXPECT_EQ(dimension_order(problem), (std::vector<int>{0, 1}));
  problem.dimension_order = {problem::OrderRule::best};
  // Dimension 1 first: 4 hops for all three, then 3 along dimension 0. The other way: 3 hops and three times 4.
  EXPECT_EQ(dimension_order(problem), (std::vector<int>{1, 0}));
  problem.dimension_order = {problem::OrderRule::stated, {0, 1}};
  EXPECT_EQ(dimension_order(problem), (std::vector<int>{0, 1}));
}

TEST(Problem, blocks_travel_the_shortest_equivalent_offsets_where_that_is_asked_for) {
  problem::Isomorphic problem = test::alltoall(Torus({5}), Neighborhood(1, {{4}}), Bytes(8));
  EXPECT_EQ(routed(problem), Neighborhood(1, {{4}}));
  problem.shortest_wrap = true;
  EXPECT_EQ(routed(problem), Neighborhood(1, {{-1}}));
  problem.shortest_wrap = false;
  problem.boundary = Boundary::open;
  problem.neighborhood = Neighborhood(1, {{4}, {5}});
  EXPECT_EQ(routed(problem), Neighborhood(1, {{4}, {0}})) << "(5) leads past the ends of five ranks";
}

TEST(Problem, graphs_are_made_as_they_are_described) {
  struct Row {
    problem::GraphSource source;
    ProcessGraph graph;
  };
  Torus const torus({4, 5});
  std::vector<Row> const rows = {
      {problem::RandomGraph{12, 0.5, 7}, erdos_renyi(12, 0.5, 7)},
      {problem::MooreGraph{torus, 1}, moore(torus, 1)},
      {problem::GeometricGraph{30, 6, 7}, geometric(30, 6, 7)},
      {problem::RandomTargets{12, 3, 7}, random_targets(12, 3, 7)},
      {problem::HypercubePattern{8}, hypercube(8)},
      {problem::PowerLaw{12, 2, 5, 7}, powerlaw(12, 2, 5, 7)},
      {WeightedGraph{hypercube(4)}, hypercube(4)},
  };
  for (Row const& row : rows) {
    EXPECT_EQ(made(row.source).graph, row.graph) << row.source.index();
    EXPECT_EQ(ranks(row.source), row.graph.ranks()) << row.source.index();
  }
  EXPECT_THROW(graph_of(problem::GraphSource(problem::HypercubePattern{4})), ContractViolation);
}

}  // namespace
}  // namespace rondo
