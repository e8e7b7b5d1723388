#include "generate/transformations.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/random.hpp"
#include "generate/generate.hpp"
#include "problems.hpp"
#include "schedule/measure.hpp"
#include "schedule/verify.hpp"

namespace rondo {
namespace {

/// Rank 2 sends to 4, 0 and 3, and receives from 1 and 3; rank 1 sends to 3 as well.
ProcessGraph small_graph() {
  std::vector<Edge> const edges{{Rank(2), Rank(4)}, {Rank(2), Rank(0)}, {Rank(2), Rank(3)}, {Rank(1), Rank(2)},
                                {Rank(3), Rank(2)}, {Rank(1), Rank(3)}, {Rank(4), Rank(2)}};
  return {5, edges};
}

std::vector<int> partners(std::span<Transfer const> transfers) {
  std::vector<int> all;
  for (Transfer const& each : transfers) all.push_back(each.peer);
  return all;
}

TEST(Posting, is_in_the_order_that_is_asked_for) {
  ProcessGraph const graph = small_graph();
  using Ranks = std::vector<int>;
  struct Case {
    Posting posting;
    Ranks sends, receives;
  };
  // From rank 2 of 5, `shifted` sends to 3, 4, 0, 1 and receives from 1, 0, 4, 3.
  for (Case const& each :
       {Case{Posting::neighbors, {4, 0, 3}, {1, 3, 4}}, Case{Posting::ascending, {0, 3, 4}, {1, 3, 4}},
        Case{Posting::shifted, {3, 4, 0}, {1, 4, 3}}}) {
    Schedule schedule = generate::neighbor_naive(test::neighbor_alltoall(graph, {Bytes(8)}));
    // What the order was before does not matter.
    generate::order_posts(schedule, Posting::random, 9, &graph);
    generate::order_posts(schedule, each.posting, 1, &graph);
    EXPECT_EQ(partners(schedule.program(Rank(2)).sends(1)), each.sends) << enum_name(each.posting);
    EXPECT_EQ(partners(schedule.program(Rank(2)).receives(1)), each.receives) << enum_name(each.posting);
  }
}

TEST(Posting, that_is_random_differs_by_rank_and_seed_and_is_the_same_every_time) {
  ProcessGraph const graph = erdos_renyi(40, 0.6, 2);
  Schedule const listed = generate::neighbor_naive(test::neighbor_alltoall(graph, {Bytes(8)}));
  auto const order = [&](std::uint64_t seed, int rank) {
    Schedule schedule = listed;
    generate::order_posts(schedule, Posting::random, seed, &graph);
    return partners(schedule.program(Rank(rank)).sends(1));
  };
  EXPECT_EQ(order(1, 3), order(1, 3));
  EXPECT_NE(order(1, 3), order(2, 3));
  auto sorted = order(1, 3);
  EXPECT_FALSE(std::is_sorted(sorted.begin(), sorted.end()));
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(sorted, partners(listed.program(Rank(3)).sends(1)));
}

/// The same messages deliver the same blocks, whatever their order: several between two ranks still match.
TEST(Posting, changes_neither_delivery_nor_counts) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    std::vector<Edge> edges;
    Random random(seed);
    for (int i = 0; i < 60; ++i) {
      edges.push_back({Rank(static_cast<int>(random.below(9))), Rank(static_cast<int>(random.below(9)))});
    }
    ProcessGraph const graph(9, edges);
    for (auto const algorithm : {problem::NeighborAlgorithm::naive, problem::NeighborAlgorithm::common_neighbors}) {
      auto problem = test::neighbor_alltoall(graph, {Bytes(24)});
      problem.algorithm = algorithm;
      problem.options.theta = 2;
      Schedule const generated = generate::generate(problem);
      for (auto const& [posting, word] : enum_names<Posting>) {
        Schedule schedule = generated;
        generate::order_posts(schedule, posting, seed, &graph);
        EXPECT_TRUE(verify(schedule, generate::promise(problem)).violations.empty()) << word << ", seed " << seed;
        EXPECT_EQ(measure(schedule).messages, measure(generated).messages);
        EXPECT_EQ(measure(schedule).volume_bytes, measure(generated).volume_bytes);
      }
    }
  }
}

TEST(Posting, of_an_isomorphic_schedule_is_one_for_all_ranks_and_seen_from_both_ends) {
  auto problem = test::alltoall(Torus({5, 6}), moore(2, 1), Bytes(8));
  problem.algorithm = problem::IsomorphicAlgorithm::posted;
  for (Posting const posting : {Posting::neighbors, Posting::shifted, Posting::random}) {
    Schedule schedule = generate::generate(problem);
    generate::order_posts(schedule, posting, 4, nullptr);
    EXPECT_EQ(schedule.programs.size(), 1U);
    EXPECT_TRUE(verify(schedule, generate::promise(problem)).violations.empty());
    std::vector<int> to;
    auto const sends = schedule.programs.front().sends(1);
    auto const receives = schedule.programs.front().receives(1);
    for (std::size_t i = 0; i < sends.size(); ++i) {
      Rank const target = schedule.peer(Rank(0), sends[i]);
      EXPECT_EQ(schedule.peer(target, receives[i]), Rank(0)) << enum_name(posting);
      to.push_back(target.value);
    }
    bool const ascends = std::is_sorted(to.begin(), to.end());
    if (posting != Posting::neighbors) {
      EXPECT_EQ(ascends, posting == Posting::shifted) << enum_name(posting);
    }
  }
  Schedule schedule = generate::generate(problem);
  EXPECT_THROW(generate::order_posts(schedule, Posting::ascending, 1, nullptr), InputError);
}

}  // namespace
}  // namespace rondo
