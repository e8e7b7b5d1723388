// Reductions written by hand: whole ones, and what verify says of a fault planted in them.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "planted.hpp"
#include "reductions.hpp"

namespace rondo {
namespace {

using namespace testing;

TEST(VerifyReductions, every_contribution_enters_once_in_order_and_with_the_same_bits) {
  for (int const ranks : {1, 2, 4, 8, 16}) {
    for (ReductionRules const rules : {ReductionRules{}, ReductionRules{true, false, false},
                                       ReductionRules{false, true, false}, ReductionRules{true, true, false}}) {
      EXPECT_EQ(faults(recursive_doubling(ranks), allreduce(ranks, rules)), Texts{}) << ranks;
    }
  }
  EXPECT_EQ(faults(chain_scan(7), scan(7, 0)), Texts{});
}

TEST(VerifyReductions, an_allreduce_of_4096_ranks_is_proved_in_order_and_to_the_bit) {
  EXPECT_EQ(faults(recursive_doubling(4096), allreduce(4096, {true, true, false})), Texts{});
}

TEST(VerifyReductions, the_receives_of_a_round_are_joined_in_the_order_of_their_posting) {
  Draft draft = with_own_blocks(4);
  for (int r = 1; r < 4; ++r) draft.message(1, r, receive_slot(0), 0, receive_slot(0), Join::after);
  StatedPromise reduce = allreduce(4, {true, false, false});
  for (std::size_t r = 1; r < 4; ++r) reduce.owed[r].clear();
  EXPECT_EQ(faults(draft, reduce), Texts{});
  std::swap(draft.of(0).round(1).receives[0], draft.of(0).round(1).receives[1]);
  EXPECT_EQ(faults(draft, reduce),
            Texts{"rank 0, round 1: block 0 of rank 0 is joined with block 0 of rank 2 to its right, which does not "
                  "follow it in order"});
  reduce.rules.ordered = false;
  EXPECT_EQ(faults(draft, reduce), Texts{}) << "an operator that commutes";
}

struct Planted {
  char const* name;
  ReductionRules rules;
  std::function<void(Draft&)> change;
  Texts expected;
};

TEST(VerifyReductions, name_rank_round_block_and_contribution) {
  std::vector<Planted> const cases{
      {"missing: rank 2 does not send, so that its half lacks rank 3",
       {},
       [](Draft& d) {
         d.of(2).round(1).receives.clear();
         d.of(3).round(1).sends.clear();
       },
       {"rank 0, round 2: block 0 of rank 3 is missing from receive[0], where the join of block 0 of ranks 0 to 3 is "
        "owed",
        "rank 2, round 2: block 0 of rank 3 is missing from receive[0], where the join of block 0 of ranks 0 to 3 is "
        "owed"}},
      {"doubled: rank 1 talks to rank 0 once more in round 2",
       {},
       [](Draft& d) {
         d.of(1).round(2).receives[0].peer = 0;
         d.of(3).round(2).sends.clear();
         d.of(0).round(2).sends.push_back({1, {receive_slot(0)}});
       },
       {"rank 1, round 2: block 0 of rank 2 and 1 more contribution are missing from receive[0], where the join of "
        "block 0 of ranks 0 to 3 is owed",
        "rank 1, round 2: the join of block 0 of ranks 0 to 1 is joined with the join of block 0 of ranks 0 to 1: "
        "block 0 of rank 0 is in both, and so doubled at rank 1",
        "rank 1, round 2: the join of block 0 of ranks 0 to 1 is joined with the join of block 0 of ranks 0 to 1: "
        "block 0 of rank 1 is in both, and so doubled at rank 1"}},
      {"out of order: rank 3 joins from the wrong side in round 1, and rank 1 gets that",
       {true, false, false},
       [](Draft& d) { d.of(3).round(1).receives[0].join = Join::after; },
       {"rank 3, round 1: block 0 of rank 3 is joined with block 0 of rank 2 to its right, which does not follow it in "
        "order"}},
      {"stale: rank 0 sends in round 2 what it had before round 1",
       {},
       [](Draft& d) { d.of(0).round(2).sends[0].places = {send_slot(0)}; },
       {"rank 2, round 2: block 0 of rank 1 is missing from receive[0], where the join of block 0 of ranks 0 to 3 is "
        "owed"}},
      {"stored where it should be joined",
       {},
       [](Draft& d) { d.of(0).round(2).receives[0].join = Join::none; },
       {"rank 0, round 2: the join of block 0 of ranks 0 to 1 is written over in receive[0] while it is sent",
        "rank 0, round 2: block 0 of rank 0 and 1 more contribution are missing from receive[0], where the join of "
        "block 0 of ranks 0 to 3 is owed"}},
      {"reduced into the send buffer",
       {},
       [](Draft& d) { d.of(0).round(2).receives[0].places = {send_slot(0)}; },
       {"rank 0, round 2: block 0 of rank 0 is reduced into send[0], which is only read",
        "rank 0, round 2: block 0 of rank 2 and 1 more contribution are missing from receive[0], where the join of "
        "block 0 of ranks 0 to 3 is owed"}},
      {"joined with nothing",
       {},
       [](Draft& d) { d.of(0).round(0).copies.clear(); },
       {"rank 0, round 1: receive[0] is sent to rank 1 but holds no block yet; the join of block 0 of ranks 0 to 3 is "
        "owed there",
        "rank 0, round 2: the join of block 0 of ranks 0 to 3 is lost, it is owed in receive[0]",
        "rank 1, round 2: the join of block 0 of ranks 0 to 3 is lost, it is owed in receive[0]",
        "rank 2, round 2: the join of block 0 of ranks 0 to 3 is lost, it is owed in receive[0]",
        "rank 3, round 2: the join of block 0 of ranks 0 to 3 is lost, it is owed in receive[0]"}},
  };
  for (Planted const& each : cases) {
    SCOPED_TRACE(each.name);
    Draft draft = recursive_doubling(4);
    each.change(draft);
    EXPECT_EQ(faults(draft, allreduce(4, each.rules)), each.expected);
  }
}

TEST(VerifyReductions, name_what_is_foreign_to_a_scan) {
  Draft draft = chain_scan(3);
  draft.message(3, 2, send_slot(0), 1, receive_slot(0), Join::after);
  EXPECT_EQ(faults(draft, scan(3, 0)),
            Texts{"rank 1, round 3: block 0 of rank 2 has entered receive[0], where the join "
                  "of block 0 of ranks 0 to 1 is owed"});
  EXPECT_EQ(faults(chain_scan(3), scan(3, 1)).size(), 2u) << "an exclusive scan lacks the rank itself";
}

/// Three ranks hold all three blocks; rank 0 joins them from the left, the others from the right.
Draft two_ways() {
  Draft draft = blank({3}, 3, 8_B);
  draft.promises.ports = 0;
  for (int r = 0; r < 3; ++r) {
    auto const own = static_cast<std::uint32_t>(r);
    draft.of(r).round(0).copies = {{send_slot(0), intermediate_slot(own)}};
    for (int const other : {0, 1, 2}) {
      if (other != r) draft.message(1, r, send_slot(0), other, intermediate_slot(own));
    }
  }
  auto& left = draft.of(0).round(1).copies;
  left = {{intermediate_slot(0), receive_slot(0)},
          {intermediate_slot(1), receive_slot(0), Join::after},
          {intermediate_slot(2), receive_slot(0), Join::after}};
  for (int const r : {1, 2}) {
    draft.of(r).round(1).copies = {{intermediate_slot(2), receive_slot(0)},
                                   {intermediate_slot(1), receive_slot(0), Join::before},
                                   {intermediate_slot(0), receive_slot(0), Join::before}};
  }
  return draft;
}

TEST(VerifyReductions, name_ranks_whose_bits_may_differ) {
  EXPECT_EQ(faults(two_ways(), allreduce(3, {true, false, false})), Texts{});
  for (bool const ordered : {false, true}) {
    EXPECT_EQ(faults(two_ways(), allreduce(3, {ordered, true, false})),
              (Texts{"rank 1, round 1: the join of block 0 of ranks 0 to 2 in receive[0] is joined in another way than "
                     "at rank 0, and so may differ in bits",
                     "rank 2, round 1: the join of block 0 of ranks 0 to 2 in receive[0] is joined in another way than "
                     "at rank 0, and so may differ in bits"}));
  }
}

TEST(VerifyReductions, knowing_once_or_twice_is_enough_for_a_barrier) {
  ReductionRules const barrier{false, false, true};
  for (int ranks = 1; ranks <= 17; ++ranks) {
    EXPECT_EQ(faults(dissemination(ranks), allreduce(ranks, barrier)), Texts{});
    bool const power_of_two = (ranks & (ranks - 1)) == 0;
    EXPECT_EQ(faults(dissemination(ranks), allreduce(ranks)).empty(), power_of_two) << ranks << " ranks: a sum";
  }
  Draft draft = dissemination(5);
  for (int r = 0; r < 5; ++r) draft.of(r).rounds.pop_back();
  EXPECT_EQ(
      faults(draft, allreduce(5, barrier)).front(),
      "rank 0, round 2: block 0 of rank 1 is missing from receive[0], where the join of block 0 of ranks 0 to 4 is "
      "owed");
}

TEST(VerifyReductions, a_rank_that_is_owed_twice_enters_twice) {
  StatedPromise promise = allreduce(2);
  promise.owed = {{Owed(BlockId(0), {Rank(1), Rank(1), Rank(0)})}, {}};
  Draft draft = with_own_blocks(2);
  draft.message(1, 1, send_slot(0), 0, receive_slot(0), Join::after);
  EXPECT_EQ(faults(draft, promise), Texts{"rank 0, round 1: block 0 of rank 1 is missing from receive[0], where the "
                                          "join of block 0 of rank 0, rank 1 (2 times) is owed"});
  draft.message(1, 1, send_slot(0), 0, receive_slot(0), Join::before);
  EXPECT_EQ(faults(draft, promise), Texts{});
  promise.rules.ordered = true;
  EXPECT_EQ(faults(draft, promise).size(), 1u) << "rank 0 stands between the two";
}

TEST(VerifyReductions, one_rank_does_not_speak_for_all_where_contents_are_joined) {
  // Each rank of a ring joins its left neighbor's block to its own, the same from every rank, and the promise owes the
  // block alone.
  IsomorphicAllgather const promise{Torus({4}), Neighborhood(1, {{1}})};
  Draft draft = straightforward(promise.torus, promise.neighborhood, 8_B);
  EXPECT_EQ(faults(draft, promise), Texts{});
  draft.of(0).round(0).copies.push_back({send_slot(0), receive_slot(0)});
  draft.of(0).round(1).receives[0].join = Join::after;
  EXPECT_EQ(faults(draft, promise).size(), 4u);
}

}  // namespace
}  // namespace rondo
