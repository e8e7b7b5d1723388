// The complexities that [Mirsadeghi17, Sections IV-B and V] states, counted on random graphs and Moore neighborhoods.
// Delta is the most targets or sources of a rank, F the most friends, t and r the iterations of Algorithms 1 and 2.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "generate/common_neighbors.hpp"
#include "generate/generate.hpp"
#include "problems.hpp"
#include "sanitized.hpp"
#include "topology/process_graph.hpp"

namespace rondo {
namespace {

using namespace generate;

struct Counted {
  ProcessGraph graph;
  CombiningPattern pattern;
  std::int64_t delta = 0, edges = 0;
  bool literal_lowest = false;  ///< how suitors are read and ties broken
  std::string what;

  std::int64_t iterations() const { return static_cast<std::int64_t>(pattern.iterations.size()); }
  int most_pairing_rounds() const {
    int most = 0;
    for (auto const& iteration : pattern.iterations) most = std::max(most, iteration.pairing_rounds);
    return most;
  }
  /// The sum of r over the iterations of Algorithm 1.
  std::int64_t pairing_rounds() const {
    std::int64_t sum = 0;
    for (auto const& iteration : pattern.iterations) sum += iteration.pairing_rounds;
    return sum;
  }
};

std::vector<Rank> without(Rank self, std::vector<Rank> ranks) {
  std::erase(ranks, self);
  return ranks;
}

Counted counted(ProcessGraph const& graph, CommonNeighbors const& options, std::string const& what) {
  Counted result{graph, common_neighbors(graph, options), 0, 0, false, what};
  result.literal_lowest = options.suitors == problem::Suitors::literal && options.tie == problem::FriendTie::lowest;
  for (int r = 0; r < graph.ranks(); ++r) {
    auto const targets = std::ssize(without(Rank(r), graph.distinct_targets(Rank(r))));
    auto const sources = std::ssize(without(Rank(r), graph.distinct_sources(Rank(r))));
    result.delta = std::max({result.delta, targets, sources});
    result.edges += targets;
  }
  return result;
}

/// Each graph with both readings of suitors and both ties.
template <typename Check>
void each_graph(Check check) {
  Random random(17);
  for (int k = 0; k < 240 / test::thinned; ++k) {
    CommonNeighbors options;
    options.suitors = k % 2 == 0 ? problem::Suitors::literal : problem::Suitors::active;
    options.tie = k % 4 < 2 ? problem::FriendTie::lowest : problem::FriendTie::highest;
    std::string const what = "graph " + std::to_string(k);
    if (k % 3 == 0) {
      int const side = static_cast<int>(random.between(3, 12)), radius = static_cast<int>(random.between(1, 2));
      check(counted(moore(Torus({side, side + 3}), radius), options, what));
    } else {
      check(counted(erdos_renyi(static_cast<int>(random.between(2, 96)), random.unit(), random.bits()), options, what));
    }
  }
}

// Item [Mirsadeghi17, memory O(Delta^2)]: holds.
TEST(NeighborComplexity, the_matrix_of_a_rank_has_at_most_delta_rows_of_delta_ranks) {
  each_graph([](Counted const& on) {
    for (int r = 0; r < on.graph.ranks(); ++r) {
      std::int64_t entries = 0;
      for (Rank const target : without(Rank(r), on.graph.distinct_targets(Rank(r)))) {
        entries += std::ssize(without(target, on.graph.distinct_sources(target)));
      }
      EXPECT_LE(entries, on.delta * on.delta) << on.what;
    }
  });
}

// Item [Mirsadeghi17, O(rF)]: holds.
TEST(NeighborComplexity, pairing_sends_at_most_two_messages_to_each_friend_in_an_iteration) {
  each_graph([](Counted const& on) {
    EXPECT_LE(on.pattern.setup.pairing, 2 * on.pairing_rounds() * on.pattern.most_friends * on.graph.ranks())
        << on.what;
  });
}

// Item [Mirsadeghi17, O(t(rF + Delta^2))]: holds.
TEST(NeighborComplexity, the_rest_of_algorithm_1_sends_an_edge_at_most_two_messages_an_iteration) {
  each_graph([](Counted const& on) {
    // Lists of at most Delta sources to at most Delta ranks: Delta^2 words a rank and iteration.
    EXPECT_EQ(on.pattern.setup.build, on.edges) << on.what;
    EXPECT_LE(on.pattern.setup.update, on.iterations() * on.edges) << on.what;
    EXPECT_LE(on.pattern.setup.notify, (on.iterations() + 1) * on.edges) << on.what;
  });
}

// Item [Mirsadeghi17, O(p^3)]: holds in part: neither t <= F nor r <= p - 1 with literal suitors and ties to the lowest
// rank; with others both on all of these graphs, without a proof.
TEST(NeighborComplexity, iterations_of_algorithm_1_pass_the_friends_of_a_rank_only_with_literal_suitors) {
  each_graph([](Counted const& on) {
    if (on.literal_lowest) return;
    EXPECT_LE(on.iterations(), on.pattern.most_friends) << on.what;
    EXPECT_LE(on.most_pairing_rounds(), std::max(on.graph.ranks() - 1, 1)) << on.what;
  });
  CommonNeighbors const options{.tie = problem::FriendTie::lowest, .suitors = problem::Suitors::literal};
  auto const pattern = common_neighbors(moore(Torus({6, 9}), 1), options);
  EXPECT_EQ(pattern.most_friends, 4);
  EXPECT_GT(pattern.iterations.size(), 4U);
}

// Item [Mirsadeghi17, O(Delta)]: holds.
TEST(NeighborComplexity, a_schedule_has_at_most_three_delta_messages_at_a_rank) {
  each_graph([](Counted const& on) {
    Schedule const schedule = neighbor_common_neighbors(test::neighbor_allgather(on.graph, {Bytes(4)}), on.pattern);
    for (int r = 0; r < schedule.ranks; ++r) {
      Program const& program = schedule.program(Rank(r));
      std::int64_t sends = 0, receives = 0;
      for (int round = 1; round <= program.rounds(); ++round) {
        sends += std::ssize(program.sends(round));
        receives += std::ssize(program.receives(round));
      }
      // A pair takes theta = 4 targets at least from each of both, 2 of which it sends to for both: a friend costs no
      // message more. It has a message from each source, or none, and one from each friend, of which there are Delta/4.
      EXPECT_LE(sends, on.delta) << on.what;
      EXPECT_LE(receives, on.delta + on.delta / 4) << on.what;
    }
  });
}

}  // namespace
}  // namespace rondo
