// Bounds on the volume of schedules with few rounds, beside the best of all schedules of a few ranks.

#include "theory/spreading.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <vector>

namespace rondo::theory {
namespace {

using Permutation = std::vector<int>;

std::vector<Permutation> permutations(int p) {
  Permutation one(static_cast<std::size_t>(p));
  std::iota(one.begin(), one.end(), 0);
  std::vector<Permutation> all;
  do {
    all.push_back(one);
  } while (std::next_permutation(one.begin(), one.end()));
  return all;
}

constexpr int never = 1000;

/// How many messages bring something from one rank to each, at least, in the rounds so far.
using Messages = std::vector<int>;

/// A round in which rank r sends to to[r], or nothing where that is itself. One-ported rounds are such permutations:
/// one with fewer messages leaves out some of a permutation's, which never brings anything nearer.
Messages behind(Messages const& before, Permutation const& to) {
  Messages after = before;
  for (std::size_t r = 0; r < to.size(); ++r) {
    int& there = after[static_cast<std::size_t>(to[r])];
    there = std::min(there, before[r] + 1);
  }
  return after;
}

/// The fewest messages that carry a block, over all blocks and all schedules of so many rounds, each block on its
/// shortest route.
int least_moves(std::vector<Permutation> const& all, std::vector<Messages> const& from, int rounds) {
  if (rounds == 0) {
    int moves = 0;
    for (Messages const& each : from) moves = std::accumulate(each.begin(), each.end(), moves);
    return moves;
  }
  int least = std::numeric_limits<int>::max();
  for (Permutation const& to : all) {
    std::vector<Messages> next;
    for (Messages const& each : from) next.push_back(behind(each, to));
    least = std::min(least, least_moves(all, next, rounds - 1));
  }
  return least;
}

/// One permutation of each cycle structure, for others are the same with the ranks numbered otherwise.
std::vector<Permutation> structures(std::vector<Permutation> const& all) {
  std::set<std::vector<int>> known;
  std::vector<Permutation> result;
  for (Permutation const& to : all) {
    std::vector<int> lengths;
    for (std::size_t start = 0; start < to.size(); ++start) {
      int length = 1;
      for (auto at = to[start]; at != static_cast<int>(start); at = to[static_cast<std::size_t>(at)]) ++length;
      lengths.push_back(length);
    }
    std::sort(lengths.begin(), lengths.end());
    if (known.insert(lengths).second) result.push_back(to);
  }
  return result;
}

int least_moves(int p, int rounds) {
  std::vector<Messages> start;
  for (int r = 0; r < p; ++r) {
    start.emplace_back(static_cast<std::size_t>(p), never);
    start.back()[static_cast<std::size_t>(r)] = 0;
  }
  auto const all = permutations(p);
  int least = std::numeric_limits<int>::max();
  for (Permutation const& first : structures(all)) {
    std::vector<Messages> next;
    for (Messages const& each : start) next.push_back(behind(each, first));
    least = std::min(least, least_moves(all, next, rounds - 1));
  }
  return least;
}

TEST(JointBounds, of_an_alltoall_are_what_the_best_of_all_schedules_moves) {
  struct Case {
    int ranks, rounds;
  };
  for (auto const& [ranks, rounds] : {Case{2, 1}, {3, 2}, {3, 3}, {4, 2}, {4, 3}, {5, 3}}) {
    EXPECT_EQ(alltoall_blocks_in_rounds(ranks, 1, rounds).value() * ranks, least_moves(ranks, rounds))
        << ranks << " ranks in " << rounds << " rounds";
  }
  EXPECT_GE(least_moves(3, 1), never);
  EXPECT_FALSE(alltoall_blocks_in_rounds(3, 1, 1));
}

/// [Bruck97, Section 2]: (p / (k+1)) log_(k+1) p on each of k ports in the fewest rounds, where p = (k+1)^w.
TEST(JointBounds, of_an_alltoall_in_the_fewest_rounds_are_Brucks) {
  for (int const k : {1, 2, 3, 7}) {
    std::int64_t p = 1;
    for (int w = 1; w <= 8; ++w) {
      p *= k + 1;
      EXPECT_EQ(alltoall_blocks_in_rounds(p, k, w), k * w * p / (k + 1)) << p << " ranks, " << k << " ports";
      EXPECT_FALSE(alltoall_blocks_in_rounds(p + 1, k, w));
    }
  }
}

/// [Bruck97, Section 2]: who moves only p - 1 blocks needs (p - 1) / k rounds.
TEST(JointBounds, of_an_alltoall_leave_no_more_than_its_blocks_from_as_many_rounds_as_those_take) {
  for (std::int64_t const p : {2, 5, 8, 100, 4096}) {
    for (int const k : {1, 2, 3}) {
      std::int64_t const enough = (p - 1 + k - 1) / k;
      EXPECT_EQ(alltoall_blocks_in_rounds(p, k, enough), p - 1);
      EXPECT_EQ(alltoall_blocks_in_rounds(p, k, 1 << 20), p - 1);
      if (enough == 1) continue;
      EXPECT_GT(alltoall_blocks_in_rounds(p, k, enough - 1).value_or(p), p - 1);
    }
  }
}

/// Five ranks in three rounds: three ranks are one message away, C(3, 1), and one is two, C(3, 2) >= 1.
TEST(JointBounds, fall_as_rounds_are_added) {
  EXPECT_EQ(alltoall_blocks_in_rounds(5, 1, 3), 3 + 2);
  EXPECT_EQ(alltoall_blocks_in_rounds(9, 1, 4), 4 * 1 + 4 * 2);
  std::int64_t last = std::numeric_limits<std::int64_t>::max();
  for (int rounds = 10; rounds <= 1000; ++rounds) {
    std::int64_t const blocks = alltoall_blocks_in_rounds(1000, 1, rounds).value();
    EXPECT_LE(blocks, last);
    last = blocks;
  }
  EXPECT_EQ(last, 999);
}

/// In every schedule of two rounds after which all of four ranks have heard of all, each has received in both.
TEST(JointBounds, of_an_allreduce_among_four_ranks_hold_for_all_schedules) {
  auto const all = permutations(4);
  std::int64_t most_saved = 0, complete = 0;
  for (Permutation const& first : all) {
    for (Permutation const& second : all) {
      std::vector<unsigned> heard{1, 2, 4, 8};
      std::int64_t messages = 0;
      for (Permutation const* round : {&first, &second}) {
        std::vector<unsigned> next = heard;
        for (std::size_t r = 0; r < 4; ++r) {
          auto const to = static_cast<std::size_t>((*round)[r]);
          next[to] |= heard[r];
          if (to != r) ++messages;
        }
        heard = next;
      }
      if (heard != std::vector<unsigned>(4, 15)) continue;
      ++complete;
      most_saved = std::max(most_saved, 4 * vectors_in_rounds(4, 1, 2).value() - messages);
    }
  }
  EXPECT_GT(complete, 0);
  EXPECT_EQ(most_saved, 0);
}

TEST(JointBounds, of_vectors_hold_for_the_fewest_rounds_of_a_power_alone) {
  EXPECT_EQ(vectors_in_rounds(8, 1, 3), 3);
  EXPECT_EQ(vectors_in_rounds(27, 2, 3), 6);
  EXPECT_FALSE(vectors_in_rounds(8, 1, 4));
  EXPECT_FALSE(vectors_in_rounds(7, 1, 3));
  EXPECT_FALSE(vectors_in_rounds(8, 2, 2));
}

}  // namespace
}  // namespace rondo::theory
