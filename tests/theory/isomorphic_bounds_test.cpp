#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <set>

#include "base/random.hpp"
#include "reference.hpp"
#include "theory/bounds.hpp"
#include "theory/isomorphic.hpp"

namespace rondo::theory {
namespace {

Torus wide(int dimensions, int largest) {
  return Torus(std::vector<int>(static_cast<std::size_t>(dimensions), 2 * largest + 1));
}

TEST(Bounds, unit_links_are_bounded_by_torus_distance) {
  // On a ring of 7, {3} and {-1}: distances 3 and 1; both ways are needed and 3 has one shortest way, so 3 + 1 rounds.
  Bounds const both = alltoall_bounds_unit(Torus({7}), Neighborhood(1, {{3}, {-1}}), 1);
  EXPECT_EQ(both.volume_blocks, 4);
  EXPECT_EQ(both.rounds, 4);
  // {6} on a ring of 7 is one hop back; all blocks travel the same way.
  EXPECT_EQ(alltoall_bounds_unit(Torus({7}), Neighborhood(1, {{6}, {-2}}), 1).rounds, 2);
  // Half way round an even ring there are two shortest ways: no extra round can be claimed.
  EXPECT_EQ(alltoall_bounds_unit(Torus({6}), Neighborhood(1, {{3}, {-1}}), 1).rounds, 3);
  // With two ports both directions go at once.
  EXPECT_EQ(alltoall_bounds_unit(Torus({7}), Neighborhood(1, {{3}, {-1}}), 2).rounds, 3);
  EXPECT_EQ(alltoall_bounds_unit(Torus({5, 5}), moore(2, 1), 1).volume_blocks, 12);
}

TEST(Bounds, any_links_are_bounded_by_doubling) {
  EXPECT_EQ(alltoall_bounds_any(Torus({9, 9, 9}), moore(3, 1), 1).rounds, 5);  // 27 ranks in 5 doublings
  EXPECT_EQ(alltoall_bounds_any(Torus({9, 9, 9}), moore(3, 1), 2).rounds, 3);  // 27 = 3^3
  EXPECT_EQ(alltoall_bounds_any(Torus({9, 9, 9}), moore(3, 1), 1).volume_blocks, 26);
  EXPECT_EQ(allgather_bounds_any(Torus({9, 9, 9}), moore(3, 1), 1).volume_blocks, 26);
  // On two ranks all eight neighbors of Moore(2,1) are the other rank or oneself: (x, y) with y odd leaves. An
  // allgather needs to send one block only.
  EXPECT_EQ(alltoall_bounds_any(Torus({1, 2}), moore(2, 1), 1).rounds, 1);
  EXPECT_EQ(alltoall_bounds_any(Torus({1, 2}), moore(2, 1), 1).volume_blocks, 6);
  EXPECT_EQ(allgather_bounds_any(Torus({1, 2}), moore(2, 1), 1).volume_blocks, 1);
  EXPECT_EQ(
      time_bound(alltoall_bounds_any(Torus({1, 1}), moore(2, 1), 1), Bytes(8), 1, {Seconds(1e-6), BytesPerSecond(1e9)})
          .value,
      0);
}

TEST(Bounds, steiner_trees_are_those_of_the_record) {
  auto const pairs = reference::pairs("isomorphic.json", "steiner");
  EXPECT_EQ(pairs.size(), 4U);
  for (auto const& pair : pairs) {
    Neighborhood const neighborhood = reference::neighborhood_of(pair["request"]);
    SteinerBound const bound = steiner_bound(wide(neighborhood.dimensions(), 5), neighborhood);
    EXPECT_TRUE(bound.exact);
    EXPECT_EQ(bound.links, pair["answer"]["steiner"]) << pair;
  }
}

// docs/notes.md#volume-of-an-allgather: sets whose trie (Proposition 2) sends more than a Steiner tree has links.
TEST(Bounds, steiner_trees_undercut_the_trie) {
  auto const links = [](std::vector<std::vector<int>> const& offsets) {
    int const d = static_cast<int>(offsets[0].size());
    return steiner_bound(wide(d, 4), Neighborhood(d, offsets)).links;
  };
  EXPECT_EQ(links({{1, 1}, {2, 2}}), 4);
  EXPECT_EQ(links({{2, 1}, {1, 2}}), 4);
  EXPECT_EQ(links({{1, 0}, {1, 1}, {2, 1}}), 3);
  EXPECT_EQ(links({{1, 1, 1}, {1, 1, 0}, {1, 0, 1}, {0, 1, 0}}), 4);
}

/// The links of every connected part of the torus that holds rank 0 and all targets, the fewest: all sets of links.
int fewest_joining_links(Torus const& torus, Neighborhood const& neighborhood) {
  std::set<std::pair<int, int>> links;
  for (int r = 0; r < torus.size(); ++r) {
    for (int j = 0; j < torus.dimensions(); ++j) {
      int const to = torus.shift(Rank(r), j, 1).value;
      if (to != r) links.insert(std::minmax(r, to));
    }
  }
  std::vector<std::pair<int, int>> const all(links.begin(), links.end());
  int fewest = static_cast<int>(all.size());
  for (unsigned chosen = 0; chosen < 1U << all.size(); ++chosen) {
    if (std::popcount(chosen) >= fewest) continue;
    std::vector<int> part(static_cast<std::size_t>(torus.size()));
    std::iota(part.begin(), part.end(), 0);
    auto const root = [&](int r) {
      while (part[static_cast<std::size_t>(r)] != r) r = part[static_cast<std::size_t>(r)];
      return r;
    };
    for (std::size_t k = 0; k < all.size(); ++k) {
      if ((chosen >> k) & 1U) part[static_cast<std::size_t>(root(all[k].first))] = root(all[k].second);
    }
    bool joined = true;
    for (int i = 0; i < neighborhood.size(); ++i) {
      joined = joined && root(torus.add(Rank(0), neighborhood[i]).value) == root(0);
    }
    if (joined) fewest = std::popcount(chosen);
  }
  return fewest;
}

Neighborhood random_neighborhood(Random& random, int dimensions, int most) {
  std::vector<std::vector<int>> offsets(random.below(static_cast<std::uint64_t>(most) + 1));
  for (auto& offset : offsets) {
    for (int j = 0; j < dimensions; ++j) offset.push_back(static_cast<int>(random.between(-3, 3)));
  }
  return Neighborhood(dimensions, offsets);
}

TEST(Bounds, steiner_trees_equal_the_best_of_all_sets_of_links) {
  Random random(3);
  for (Torus const& torus :
       {Torus({7}), Torus({2, 3}), Torus({3, 3}), Torus({2, 2, 2}), Torus({1, 5}), Torus({4, 2})}) {
    for (int k = 0; k < 12; ++k) {
      Neighborhood const neighborhood = random_neighborhood(random, torus.dimensions(), 4);
      EXPECT_EQ(steiner_bound(torus, neighborhood).links, fewest_joining_links(torus, neighborhood)) << k;
    }
  }
}

// Where the tree is too large to be found exactly, what is claimed in its place is never more. Moore(2,1) in a torus of
// 90000 ranks is past the limit of ranks; on 13 x 13 the offsets up to 3 have the same tree, as no way round is
// shorter.
TEST(Bounds, beyond_the_limit_a_weaker_bound_holds) {
  Random random(4);
  for (int k = 0; k < 60; ++k) {
    Neighborhood const neighborhood = random_neighborhood(random, 2, 5);
    SteinerBound const exact = steiner_bound(Torus({13, 13}), neighborhood);
    SteinerBound const weaker = steiner_bound(Torus({300, 300}), neighborhood);
    EXPECT_TRUE(exact.exact);
    EXPECT_LE(weaker.links, exact.links) << k;
    EXPECT_GE(weaker.links, allgather_bounds_any(Torus({300, 300}), neighborhood, 1).volume_blocks) << k;
  }
  EXPECT_FALSE(steiner_bound(Torus({300, 300}), moore(2, 1)).exact);
  EXPECT_EQ(steiner_bound(Torus({300, 300}), moore(2, 1)).links, 8);
}

/// The fewest rounds of any schedule at all on one port, isomorphic or not, for every neighborhood: breadth-first
/// search over who holds whose block. A message carries all that its sender holds, as more can only help.
class FewestRounds {
 public:
  enum class Between : std::uint8_t { torus_neighbors, any_ranks };

  FewestRounds(Torus const& torus, Between links) : torus_(torus), links_(links), ranks_(torus.size()) {
    std::vector<int> from;
    add_patterns(from);
    search();
  }

  /// `neighbors`: a bit for each offset, as the rank that lies there from rank 0.
  int rounds(unsigned neighbors) const { return rounds_[neighbors]; }

 private:
  using State = std::uint32_t;  ///< p bits a rank: whose blocks it holds

  State holder(int rank, int origin) const { return State{1} << (rank * ranks_ + origin); }

  void search() {
    State start = 0;
    for (int r = 0; r < ranks_; ++r) start |= holder(r, r);
    std::vector<bool> seen(std::size_t{1} << (ranks_ * ranks_), false);
    std::vector<State> front{start};
    rounds_.assign(std::size_t{1} << ranks_, -1);
    for (int round = 0; !front.empty(); ++round) {
      std::vector<State> next;
      for (State const held : front) {
        settle(held, round);
        for (auto const& from : patterns_) {
          State const after = exchanged(held, from);
          if (seen[after]) continue;
          seen[after] = true;
          next.push_back(after);
        }
      }
      front = std::move(next);
    }
  }

  State exchanged(State held, std::vector<int> const& from) const {
    State const row = (State{1} << ranks_) - 1;
    State after = held;
    for (int r = 0; r < ranks_; ++r) {
      int const sender = from[static_cast<std::size_t>(r)];
      if (sender >= 0) after |= ((held >> (sender * ranks_)) & row) << (r * ranks_);
    }
    return after;
  }

  /// Notes the neighborhoods that are served by now.
  void settle(State held, int round) {
    unsigned served = 0;
    for (int neighbor = 0; neighbor < ranks_; ++neighbor) {
      bool all = true;
      for (int r = 0; r < ranks_; ++r) {
        int const target = torus_.add(Rank(r), torus_.coordinates(Rank(neighbor))).value;
        all = all && (held & holder(target, r)) != 0;
      }
      if (all) served |= 1U << neighbor;
    }
    for (unsigned set = served;; set = (set - 1) & served) {
      if (rounds_[set] < 0) rounds_[set] = round;
      if (set == 0) break;
    }
  }

  /// Every way to give each rank at most one sender, no sender two ranks.
  void add_patterns(std::vector<int>& from) {
    int const rank = static_cast<int>(from.size());
    if (rank == ranks_) {
      patterns_.push_back(from);
      return;
    }
    for (int sender = -1; sender < ranks_; ++sender) {
      bool const taken = sender >= 0 && std::find(from.begin(), from.end(), sender) != from.end();
      bool const linked = sender < 0 || links_ == Between::any_ranks || torus_.distance(Rank(sender), Rank(rank)) == 1;
      if (sender == rank || taken || !linked) continue;
      from.push_back(sender);
      add_patterns(from);
      from.pop_back();
    }
  }

  Torus const& torus_;
  Between links_;
  int ranks_;
  std::vector<std::vector<int>> patterns_;
  std::vector<int> rounds_;  ///< by set of neighbors
};

// With all blocks of an origin carried together an all-to-all is delivered by the same messages as an allgather, so one
// search bounds both. Every neighborhood on each of these tori.
TEST(Bounds, rounds_never_exceed_those_of_the_best_of_all_schedules) {
  Torus const one({1});
  for (Torus const& torus : {Torus({1}), Torus({2}), Torus({3}), Torus({4}), Torus({2, 2}), Torus({5})}) {
    FewestRounds const unit(torus, FewestRounds::Between::torus_neighbors);
    // Five ranks with any links have too many ways.
    FewestRounds const any(torus.size() < 5 ? torus : one, FewestRounds::Between::any_ranks);
    for (unsigned set = 0; set < 1U << torus.size(); ++set) {
      std::vector<std::vector<int>> offsets;
      for (int r = 0; r < torus.size(); ++r) {
        if ((set >> r) & 1U) offsets.push_back(torus.coordinates(Rank(r)));
      }
      Neighborhood const neighborhood(torus.dimensions(), offsets);
      EXPECT_LE(alltoall_bounds_unit(torus, neighborhood, 1).rounds, unit.rounds(set)) << torus.size() << " " << set;
      EXPECT_LE(allgather_bounds_unit(torus, neighborhood, 1).rounds, unit.rounds(set)) << torus.size() << " " << set;
      if (torus.size() == 5) continue;
      EXPECT_LE(alltoall_bounds_any(torus, neighborhood, 1).rounds, any.rounds(set)) << torus.size() << " " << set;
      EXPECT_LE(allgather_bounds_any(torus, neighborhood, 1).rounds, any.rounds(set)) << torus.size() << " " << set;
    }
  }
}

// The bound of max(P, N) + 1 is met: on a ring of 5 with {1, -1} two rounds are needed though all are immediate
// neighbors, and no schedule of one round exists.
TEST(Bounds, the_extra_round_for_both_directions_is_needed) {
  Torus const torus({5});
  Neighborhood const both(1, {{1}, {-1}});
  EXPECT_EQ(alltoall_bounds_unit(torus, both, 1).rounds, 2);
  // Rank 0's neighbors are 1 and 4.
  EXPECT_EQ(FewestRounds(torus, FewestRounds::Between::torus_neighbors).rounds(0b10010), 2);
}

}  // namespace
}  // namespace rondo::theory
