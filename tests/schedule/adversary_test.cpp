// Schedules that are wrong and made to be proved. Until version 0.3.0 contents were compared by sums modulo 2^61 - 1 of
// weights that everybody could compute, and every schedule here was proved.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "planted.hpp"
#include "reductions.hpp"
#include "sanitized.hpp"
#include "schedule/goal_notes.hpp"
#include "schedule/prove.hpp"

namespace rondo {
namespace {

using namespace testing;

__extension__ using Wide = unsigned __int128;
constexpr Wide one = 1;
constexpr Wide prime = (one << 61) - 1;

/// Rank 0 joins the blocks of these ranks in this order, its own first, and sends what comes out to all others.
struct Star {
  int ranks;
  std::vector<int> order;

  Draft draft() const {
    Draft result = blank({ranks}, 1, 8_B);
    result.promises.ports = 1;
    result.of(0).round(0).copies.push_back({send_slot(0), receive_slot(0)});
    int round = 0;
    for (int const rank : order) result.message(++round, rank, send_slot(0), 0, receive_slot(0), Join::after);
    for (int rank = 1; rank < ranks; ++rank) result.message(++round, 0, receive_slot(0), rank, receive_slot(0));
    return result;
  }

  /// The same in GOAL, whose order is that of requirements.
  std::string goal() const {
    std::string first = "//@ buffers send 1 receive 1 scratch 0 block 8\nnum_ranks " + std::to_string(ranks) +
                        "\nrank 0 {\nl0: calc 0 //@ receive[0] = send[0]\n";
    std::vector<std::string> others(static_cast<std::size_t>(ranks));
    std::vector<int> sends(static_cast<std::size_t>(ranks), 0);
    int line = 0;
    auto const require = [&] { first += "l" + std::to_string(line) + " requires l" + std::to_string(line - 1) + "\n"; };
    for (int const rank : order) {
      auto const r = static_cast<std::size_t>(rank);
      first += "l" + std::to_string(++line) + ": recv 8b from " + std::to_string(rank) + " //@ + receive[0]\n";
      require();
      std::string const name = "s" + std::to_string(sends[r]);
      others[r] += name + ": send 8b to 0 //@ send[0]\n";
      if (sends[r] > 0) others[r] += name + " requires s" + std::to_string(sends[r] - 1) + "\n";
      ++sends[r];
    }
    for (int rank = 1; rank < ranks; ++rank) {
      first += "l" + std::to_string(++line) + ": send 8b to " + std::to_string(rank) + " //@ receive[0]\n";
      require();
      others[static_cast<std::size_t>(rank)] += "r: recv 8b from 0 //@ receive[0]\n";
    }
    first += "}\n";
    for (int rank = 1; rank < ranks; ++rank) {
      first += "rank " + std::to_string(rank) + " {\n" + others[static_cast<std::size_t>(rank)] + "}\n";
    }
    return first;
  }
};

std::vector<int> all_but_the_first(int ranks) {
  std::vector<int> order(static_cast<std::size_t>(ranks - 1));
  std::iota(order.begin(), order.end(), 1);
  return order;
}

/// A combination of the 3^55 with digits 1 (doubled) and -1 (missing) whose old weights add up to 0.
Star colliding_sum() {
  std::set<int> const doubled = {2, 4, 5, 7, 12, 17, 21, 22, 27, 30, 34, 37, 44, 53, 55};
  std::set<int> const missing = {6, 11, 13, 15, 20, 23, 24, 26, 28, 35, 39, 41, 43, 46, 48, 49, 50};
  Star star{56, {}};
  for (int const rank : all_but_the_first(star.ranks)) {
    for (int times = missing.contains(rank) ? 0 : doubled.contains(rank) ? 2 : 1; times > 0; --times) {
      star.order.push_back(rank);
    }
  }
  return star;
}

/// Pairs of neighbors, ranks 2 j and 2 j + 1, that change places without a change of the old polynomial at its point.
Star colliding_order() {
  Star star{176, all_but_the_first(176)};
  for (int const j : {5,  6,  7,  9,  10, 12, 18, 19, 21, 22, 25, 27, 29, 33, 34, 35, 37,
                      41, 43, 46, 51, 58, 59, 66, 67, 69, 70, 72, 75, 77, 78, 82, 86}) {
    auto const at = static_cast<std::size_t>(2 * j - 1);  // rank 0 is not among them
    std::swap(star.order[at], star.order[at + 1]);
  }
  return star;
}

TaskProof goal_proof(Star const& star, Collective const& promise) {
  return prove(with_blocks(read_goal_notes(star.goal(), "x.goal"), "x.goal").graph, &promise);
}

std::set<Fault> faults_of(Verdict const& verdict) {
  std::set<Fault> result;
  for (Violation const& each : verdict.violations) result.insert(each.fault);
  return result;
}

TEST(Adversary, colliding_sums_on_56_ranks_are_told_apart) {
  Collective const promise = allreduce(56);
  Star const right{56, all_but_the_first(56)};
  EXPECT_TRUE(verify(right.draft().schedule(), promise).valid());
  EXPECT_TRUE(goal_proof(right, promise).valid());
  Star const wrong = colliding_sum();
  EXPECT_EQ(faults_of(verify(wrong.draft().schedule(), promise)), (std::set{Fault::missing, Fault::doubled}));
  EXPECT_FALSE(goal_proof(wrong, promise).valid());
}

TEST(Adversary, colliding_orders_on_176_ranks_are_told_apart) {
  Collective const promise = allreduce(176, {true, false, false});
  Star const right{176, all_but_the_first(176)};
  EXPECT_TRUE(verify(right.draft().schedule(), promise).valid());
  EXPECT_TRUE(goal_proof(right, promise).valid());
  Star const wrong = colliding_order();
  EXPECT_EQ(faults_of(verify(wrong.draft().schedule(), promise)), std::set{Fault::out_of_order});
  EXPECT_FALSE(goal_proof(wrong, promise).valid());
  EXPECT_TRUE(verify(wrong.draft().schedule(), allreduce(176)).valid()) << "as a sum it is right";
}

/// The allreduce of two ranks in which rank 0's contribution enters rank 0's sum so often: the intermediate buffer
/// holds 2^k of it, and is joined for each bit.
Draft entering(Wide times) {
  Draft draft = recursive_doubling(2);
  auto& copies = draft.of(0).round(0).copies;
  copies.clear();
  copies.push_back({send_slot(0), intermediate_slot(0)});
  bool started = false;
  for (; times > 0; times >>= 1) {
    if ((times & 1) != 0) {
      copies.push_back({intermediate_slot(0), receive_slot(0), started ? Join::after : Join::none});
      started = true;
    }
    if (times > 1) copies.push_back({intermediate_slot(0), intermediate_slot(0), Join::after});
  }
  return draft;
}

std::vector<Wide> counts_at_edges() {
  std::vector<Wide> counts;
  for (int const bits : {1, 30, 31, 32, 33, 60, 61, 62, 63, 64, 65, 93, 96, 122, 127}) {
    for (int const more : {-1, 0, 1}) {
      auto const count = more < 0 ? (one << bits) - 1 : (one << bits) + static_cast<unsigned>(more);
      if (count > 1) counts.push_back(count);
    }
  }
  for (Wide const factor : {one, one << 1, one << 32, one << 61, prime, prime + 2}) {
    for (unsigned const more : {0u, 1u, 2u}) counts.push_back(prime * factor + more);
  }
  return counts;
}

TEST(Adversary, contributions_that_wrap_around_any_number_are_doubled) {
  EXPECT_TRUE(verify(entering(1).schedule(), allreduce(2)).valid());
  for (bool const ordered : {false, true}) {
    for (bool const same_bits : {false, true}) {
      for (Wide const times : counts_at_edges()) {
        SCOPED_TRACE(std::to_string(static_cast<std::uint64_t>(times >> 64)) + " * 2^64 + " +
                     std::to_string(static_cast<std::uint64_t>(times)));
        Verdict const verdict = verify(entering(times).schedule(), allreduce(2, {ordered, same_bits, false}));
        EXPECT_FALSE(verdict.delivered);
        EXPECT_TRUE(faults_of(verdict).contains(Fault::doubled));
      }
    }
  }
}

TEST(Adversary, a_barrier_forgives_any_number_of_contributions_but_not_a_missing_one) {
  for (Wide const times : counts_at_edges()) {
    EXPECT_TRUE(verify(entering(times).schedule(), allreduce(2, {false, false, true})).valid());
  }
  // Without messages rank 1's contribution reaches nobody else.
  Draft draft = entering(prime);
  for (int r = 0; r < 2; ++r) draft.of(r).rounds.resize(1);
  EXPECT_FALSE(verify(draft.schedule(), allreduce(2, {false, false, true})).valid());
}

/// What is foreign enters as often as the prime has it, and so changes no sum modulo it.
TEST(Adversary, a_foreign_contribution_that_is_0_modulo_the_prime_is_named) {
  StatedPromise promise = allreduce(3);
  for (int r = 0; r < 2; ++r) promise.owed[static_cast<std::size_t>(r)] = {Owed(BlockId(0), 1, 3)};
  promise.owed[2] = {};
  for (bool const idempotent : {false, true}) {
    promise.rules = {false, false, idempotent};
    Draft draft = blank({3}, 1, 8_B);
    draft.promises.ports = 1;
    draft.message(1, 1, send_slot(0), 0, receive_slot(0));
    draft.message(2, 2, send_slot(0), 0, receive_slot(0), Join::after);
    draft.message(3, 0, receive_slot(0), 1, receive_slot(0));
    EXPECT_TRUE(verify(draft.schedule(), promise).valid());
    auto& copies = draft.of(0).round(2).copies;
    copies.push_back({send_slot(0), intermediate_slot(0)});
    for (int bit = 0; bit < 61; ++bit) {
      copies.push_back({intermediate_slot(0), receive_slot(0), Join::after});
      if (bit < 60) copies.push_back({intermediate_slot(0), intermediate_slot(0), Join::after});
    }
    EXPECT_TRUE(faults_of(verify(draft.schedule(), promise)).contains(Fault::foreign));
  }
}

/// What is found does not depend on what is drawn: neither the verdict nor its counts nor a text.
TEST(Adversary, verdicts_are_the_same_in_every_run) {
  for (auto const& [draft, rules] : {std::pair{colliding_sum().draft(), ReductionRules{}},
                                     std::pair{colliding_order().draft(), ReductionRules{true, true, false}},
                                     std::pair{entering(prime + 1), ReductionRules{false, true, false}},
                                     std::pair{ring_allreduce(5), ReductionRules{false, true, false}}}) {
    Schedule const schedule = draft.schedule();
    bool const is_ring = draft.ranks == 5;
    StatedPromise const promise = allreduce(draft.ranks, rules, is_ring ? 5 : 1);
    Verdict const first = verify(schedule, promise);
    for (int run = 0; run < 50 / test::thinned; ++run) {
      Verdict const again = verify(schedule, promise);
      EXPECT_EQ(again.delivered, first.delivered);
      EXPECT_EQ(again.violation_count, first.violation_count);
      EXPECT_EQ(again.violations, first.violations);
      EXPECT_EQ(again.redundant_blocks, first.redundant_blocks);
    }
  }
}

/// A parenthesisation of ranks `first` to `last` - 1 by a random tree, written as the joins of slots.
void join_at_random(Random& random, std::vector<Copy>& copies, std::uint32_t first, std::uint32_t last,
                    std::string& shape) {
  if (last - first == 1) {
    shape += static_cast<char>('a' + first);
    return;
  }
  auto const middle = static_cast<std::uint32_t>(random.between(first + 1, last - 1));
  shape += '(';
  join_at_random(random, copies, first, middle, shape);
  join_at_random(random, copies, middle, last, shape);
  shape += ')';
  copies.push_back({intermediate_slot(middle), intermediate_slot(first), Join::after});
}

/// Each of 3 to 6 ranks joins all blocks by a random tree of its own.
TEST(Adversary, bits_differ_exactly_where_trees_do) {
  int alike = 0;
  for (std::uint64_t seed = 0; seed < 3000 / test::thinned; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    auto const ranks = static_cast<int>(random.between(3, 6));
    Draft draft = blank({ranks}, static_cast<std::uint32_t>(ranks), 8_B);
    draft.promises.ports = 0;
    for (int source = 0; source < ranks; ++source) {
      auto const slot = intermediate_slot(static_cast<std::uint32_t>(source));
      for (int target = 0; target < ranks; ++target) {
        if (source != target) draft.message(1, source, send_slot(0), target, slot);
      }
      draft.of(source).round(1).copies.push_back({send_slot(0), slot});
    }
    std::set<std::string> shapes;
    for (int rank = 0; rank < ranks; ++rank) {
      std::string shape;
      auto& copies = draft.of(rank).round(1).copies;
      join_at_random(random, copies, 0, static_cast<std::uint32_t>(ranks), shape);
      copies.push_back({intermediate_slot(0), receive_slot(0)});
      shapes.insert(shape);
    }
    alike += shapes.size() == 1 ? 1 : 0;
    for (bool const ordered : {false, true}) {
      Verdict const verdict = verify(draft.schedule(), allreduce(ranks, {ordered, true, false}));
      EXPECT_EQ(verdict.valid(), shapes.size() == 1);
      if (shapes.size() > 1) {
        EXPECT_EQ(faults_of(verdict), std::set{Fault::differing_bits});
      }
    }
  }
  EXPECT_GT(alike, 100 / test::thinned);
}

}  // namespace
}  // namespace rondo
