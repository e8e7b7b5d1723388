// The length that trees have at least, beside the length of the shortest tree.

#include "optimum/distances.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/ids.hpp"
#include "base/random.hpp"

namespace rondo::optimum::test {
namespace {

/// The shortest tree, by the links that join the roots with sets of ends at a vertex [Dreyfus and Wagner, 1971];
/// `out_of_reach`: there is none.
std::int64_t shortest(Network const& network, Tree const& tree, Lengths const& lengths) {
  std::size_t const sets = std::size_t{1} << tree.ends.size(), vertices = at(network.vertices);
  constexpr std::int64_t far = out_of_reach / 4;
  std::vector<std::vector<std::int64_t>> from(sets, std::vector<std::int64_t>(vertices, far));
  for (std::size_t i = 0; i < tree.ends.size(); ++i) from[std::size_t{1} << i][at(tree.ends[i])] = 0;
  for (std::size_t set = 1; set < sets; ++set) {
    for (std::size_t part = (set - 1) & set; part > 0; part = (part - 1) & set) {
      for (std::size_t v = 0; v < vertices; ++v)
        from[set][v] = std::min(from[set][v], from[part][v] + from[set ^ part][v]);
    }
    for (std::size_t turn = 0; turn < vertices; ++turn) {
      for (std::size_t i = 0; i < lengths.size(); ++i) {
        int tail = network.links[i].from, head = network.links[i].to;
        if (tree.turned) std::swap(tail, head);
        from[set][at(tail)] = std::min(from[set][at(tail)], from[set][at(head)] + lengths[i]);
      }
    }
  }
  // Several roots: no bytes pass between them, and each end has its own. All splits of the ends among them.
  std::vector<std::int64_t> best(sets, far);
  best[0] = 0;
  for (int const root : tree.roots) {
    std::vector<std::int64_t> const before = best;
    for (std::size_t set = 1; set < sets; ++set) {
      for (std::size_t part = set; part > 0; part = (part - 1) & set)
        best[set] = std::min(best[set], before[set ^ part] + from[part][at(root)]);
    }
  }
  return best.back() >= far ? out_of_reach : best.back();
}

std::vector<int> drawn(Random& random, int ranks, int most) {
  std::set<int> set{static_cast<int>(random.below(at(ranks)))};
  for (int i = 1; i < most; ++i) {
    if (random.below(2) == 0) set.insert(static_cast<int>(random.below(at(ranks))));
  }
  return {set.begin(), set.end()};
}

Network random_network(Random& random) {
  int const vertices = static_cast<int>(random.between(2, 10));
  Network network{.ranks = static_cast<int>(random.between(2, vertices)), .vertices = vertices, .links = {}};
  for (int i = static_cast<int>(random.between(1, 4)) * vertices; i > 0; --i) {
    auto const vertex = [&] { return static_cast<int>(random.below(at(vertices))); };
    network.links.push_back({vertex(), vertex(), 1.0});
  }
  return network;
}

TEST(Trees, are_never_shorter_than_the_least_length_in_2000_random_networks) {
  Random random(64);
  int met = 0, known = 0;
  for (int i = 0; i < 2000; ++i) {
    Network const network = random_network(random);
    Lengths lengths;
    for (std::size_t l = 0; l < network.links.size(); ++l) lengths.push_back(random.between(0, 9));
    Tree tree{random.below(2) == 0, drawn(random, network.ranks, 2), drawn(random, network.ranks, 6), 1};
    std::erase_if(tree.ends, [&](int end) { return std::ranges::find(tree.roots, end) != tree.roots.end(); });
    Adjacency const ways(network, tree.turned);
    std::int64_t const exact = shortest(network, tree, lengths);
    auto const least = length_of(ways, tree, lengths);
    ASSERT_EQ(least.has_value(), exact != out_of_reach) << "network " << i;
    if (!least) continue;
    ASSERT_LE(least->at_least, exact) << "network " << i;
    std::int64_t length = 0;
    for (std::size_t const link : least->links) length += lengths[link];
    ASSERT_GE(length, exact) << "network " << i;
    ++known;
    met += least->at_least == exact ? 1 : 0;
  }
  EXPECT_GT(known, 1000);
  EXPECT_GT(met, known * 9 / 10);
}

Item item(bool joined, std::vector<Requirement> owed) {
  return {.bytes = 7, .joined = joined, .owed = std::move(owed)};
}
RankSet ranks(std::vector<int> listed) { return {false, std::move(listed)}; }

std::vector<Tree> trees_of_item(Item const& one) { return trees_of({.ranks = 4, .items = {one}, .pairs = {}}); }

TEST(Trees, of_a_scan_lead_from_its_first_rank_to_all) {
  auto const trees =
      trees_of_item(item(true, {{ranks({0}), ranks({1})}, {ranks({1}), ranks({2})}, {ranks({2}), ranks({3})}}));
  ASSERT_EQ(trees.size(), 1U);
  EXPECT_EQ(trees[0].ends.size(), 3U);
  EXPECT_EQ(trees[0].roots, std::vector{trees[0].turned ? 3 : 0});
  EXPECT_EQ(trees[0].bytes, 7);
}

TEST(Trees, of_a_reduction_lead_to_who_is_owed_it) {
  auto const trees = trees_of_item(item(true, {{ranks({0, 1, 3}), ranks({1})}}));
  ASSERT_EQ(trees.size(), 1U);
  EXPECT_TRUE(trees[0].turned);
  EXPECT_EQ(trees[0].roots, std::vector{1});
  EXPECT_EQ(trees[0].ends, (std::vector{0, 3}));
}

TEST(Trees, of_a_block_begin_at_all_who_have_it) {
  auto const trees = trees_of_item(item(false, {{ranks({0, 2}), {.all = true}}}));
  ASSERT_EQ(trees.size(), 1U);
  EXPECT_FALSE(trees[0].turned);
  EXPECT_EQ(trees[0].roots, (std::vector{0, 2}));
  EXPECT_EQ(trees[0].ends, (std::vector{1, 3}));
}

}  // namespace
}  // namespace rondo::optimum::test
