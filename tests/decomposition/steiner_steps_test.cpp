#include "decomposition/steiner_steps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/random.hpp"
#include "decomposition/routes.hpp"
#include "reference.hpp"
#include "sanitized.hpp"
#include "theory/isomorphic.hpp"
#include "walked_steps.hpp"

namespace rondo {
namespace {

Torus wide_torus(int dimensions) { return Torus(std::vector<int>(static_cast<std::size_t>(dimensions), 41)); }

theory::Counts counts(Torus const& torus, Decomposition const& steps) {
  return test::counts_of_steps(torus, steps, test::Walk::same_steps_shared);
}

std::int64_t sent(Neighborhood const& neighborhood) {
  Torus const torus = wide_torus(neighborhood.dimensions());
  return counts(torus, steiner_steps(torus, neighborhood)).volume_blocks;
}

TEST(SteinerSteps, have_the_recorded_optimum) {
  auto const pairs = reference::pairs("isomorphic.json", "uniform_optimum");
  EXPECT_EQ(pairs.size(), 4U);
  for (auto const& pair : pairs) {
    Neighborhood const neighborhood = reference::neighborhood_of(pair["request"]);
    Decomposition const steps = steiner_steps(wide_torus(neighborhood.dimensions()), neighborhood);
    EXPECT_TRUE(steps.is_smallest);
    EXPECT_EQ(steps.steps.size(), pair["answer"]["sequence"].size()) << pair;
    EXPECT_EQ(sent(neighborhood), pair["answer"]["W"]) << pair;
  }
}

// docs/notes.md#volume-of-an-allgather: what refutes Proposition 2's volume-optimality, trie -> least.
TEST(SteinerSteps, send_less_than_the_trie) {
  struct Row {
    std::vector<std::vector<int>> offsets;
    std::int64_t trie, least;
  };
  for (Row const& row : {Row{{{1, 1}, {2, 2}}, 5, 4}, Row{{{2, 1}, {1, 2}}, 5, 4}, Row{{{1, 0}, {1, 1}, {2, 1}}, 4, 3},
                         // 4 blocks would take a round more than D = 3.
                         Row{{{1, 1, 1}, {1, 1, 0}, {1, 0, 1}, {0, 1, 0}}, 5, 5}}) {
    int const d = static_cast<int>(row.offsets[0].size());
    Neighborhood const neighborhood(d, row.offsets);
    auto const best = best_dimension_order(wide_torus(d), neighborhood);
    EXPECT_EQ(theory::allgather_dimension_wise(wide_torus(d), neighborhood, best).volume_blocks, row.trie);
    EXPECT_EQ(sent(neighborhood), row.least);
    EXPECT_TRUE(steiner_steps(wide_torus(d), neighborhood).is_smallest);
  }
}

// {(k, k-1), (k, k): k <= n}: the trie sends n(n+3)/2, the least is 2n, also where the exact search gives up.
TEST(SteinerSteps, climb_the_staircase_with_one_block_a_stair) {
  for (int n = 1; n <= 12; ++n) {
    std::vector<std::vector<int>> offsets;
    for (int k = 1; k <= n; ++k) {
      offsets.push_back({k, k - 1});
      offsets.push_back({k, k});
    }
    Neighborhood const stairs(2, offsets);
    EXPECT_EQ(theory::allgather_dimension_wise(wide_torus(2), stairs, {0, 1}).volume_blocks, n * (n + 3) / 2) << n;
    EXPECT_EQ(sent(stairs), 2 * n) << n;
  }
}

/// The fewest blocks in which the orders of the steps and any choice of copies reach all targets: every set of places
/// that a round may extend by some of the places one step further is followed.
std::size_t least_by_trying_all(std::map<std::vector<int>, int> steps_left, std::set<std::vector<int>> const& held,
                                std::set<std::vector<int>> const& targets, std::size_t best) {
  if (held.size() - 1 >= best) return best;
  if (std::includes(held.begin(), held.end(), targets.begin(), targets.end())) best = held.size() - 1;
  for (auto& [step, left] : steps_left) {
    if (left == 0) continue;
    --left;
    std::vector<std::vector<int>> ahead;
    for (auto place : held) {
      for (std::size_t j = 0; j < step.size(); ++j) place[j] += step[j];
      if (!held.contains(place)) ahead.push_back(place);
    }
    for (unsigned chosen = 1; chosen < 1U << ahead.size(); ++chosen) {
      auto after = held;
      for (std::size_t k = 0; k < ahead.size(); ++k) {
        if ((chosen >> k) & 1U) after.insert(ahead[k]);
      }
      best = least_by_trying_all(steps_left, after, targets, best);
    }
    ++left;
  }
  return best;
}

TEST(SteinerSteps, are_least_by_trying_all) {
  Random random(10);
  for (int k = 0; k < 40; ++k) {
    int const d = static_cast<int>(random.between(1, 3));
    std::vector<std::vector<int>> offsets(1 + random.below(3));
    for (auto& offset : offsets) {
      for (int j = 0; j < d; ++j) offset.push_back(static_cast<int>(random.between(-1, d == 3 ? 1 : 2)));
    }
    std::set<std::vector<int>> targets(offsets.begin(), offsets.end());
    std::vector<int> const origin(static_cast<std::size_t>(d), 0);
    targets.erase(origin);
    std::map<std::vector<int>, int> steps;
    for (auto const& target : targets) {
      for (std::size_t j = 0; j < origin.size(); ++j) {
        if (target[j] == 0) continue;
        auto step = origin;
        step[j] = target[j] > 0 ? 1 : -1;
        steps[step] = std::max(steps[step], std::abs(target[j]));
      }
    }
    Neighborhood const neighborhood(d, offsets);
    EXPECT_TRUE(steiner_steps(wide_torus(d), neighborhood).is_smallest);
    EXPECT_EQ(static_cast<std::size_t>(sent(neighborhood)), least_by_trying_all(steps, {origin}, targets, 8)) << k;
  }
}

TEST(SteinerSteps, never_send_more_than_the_trie_nor_less_than_the_bound) {
  Random random(11);
  int saved = 0;
  for (int k = 0; k < 150 / test::sampled; ++k) {
    int const d = static_cast<int>(random.between(1, 7));
    std::vector<std::vector<int>> offsets(random.below(14));
    for (auto& offset : offsets) {
      for (int j = 0; j < d; ++j) offset.push_back(static_cast<int>(random.between(-4, 4)));
    }
    Torus const torus(std::vector<int>(static_cast<std::size_t>(d), 9));
    Neighborhood const neighborhood(d, offsets);
    std::vector<int> stated = given_dimension_order(d);
    for (std::size_t j = stated.size(); j > 1; --j) std::swap(stated[j - 1], stated[random.below(j)]);
    auto const least = counts(torus, steiner_steps(torus, neighborhood, stated));
    std::int64_t smallest = INT64_MAX;
    for (auto const& order : {best_dimension_order(torus, neighborhood), given_dimension_order(d), stated,
                              paper_dimension_order(neighborhood)}) {
      auto const trie = theory::allgather_dimension_wise(torus, neighborhood, order);
      EXPECT_EQ(least.rounds, trie.rounds) << k;
      EXPECT_LE(least.volume_blocks, trie.volume_blocks) << k;
      smallest = std::min(smallest, trie.volume_blocks);
    }
    saved += least.volume_blocks < smallest ? 1 : 0;
  }
  EXPECT_GT(saved, 0);
}

// Two steps aside on a long way: the orders are few but long, which is past the limit of the exact search.
TEST(SteinerSteps, of_far_neighbors_are_found_without_trying_all_orders) {
  Neighborhood const far(2, {{3000, 0}, {1000, 1}, {2000, 1}});
  Torus const torus({4001, 4});
  auto const trie = theory::allgather_dimension_wise(torus, far, best_dimension_order(torus, far));
  auto const found = counts(torus, steiner_steps(torus, far));
  EXPECT_EQ(found.rounds, 3001);
  EXPECT_LE(found.volume_blocks, trie.volume_blocks);
}

TEST(SteinerSteps, of_no_neighbors_are_none) {
  EXPECT_TRUE(steiner_steps(Torus({3}), Neighborhood(1, {})).steps.empty());
  EXPECT_EQ(steiner_steps(Torus({1, 3}), Neighborhood(2, {{4, 0}})).uses, (std::vector<std::vector<int>>{{}}));
}

}  // namespace
}  // namespace rondo
