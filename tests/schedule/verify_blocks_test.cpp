// Faults of blocks, planted in a schedule that is right without them: verify names each with rank, round and block, and
// reports nothing else but what a reader would call its effect.

#include <gtest/gtest.h>

#include "planted.hpp"

namespace rondo {
namespace {

using namespace testing;

TEST(Verify, finds_no_fault_in_the_schedules_that_are_broken_below) {
  EXPECT_EQ(faults(two_shifts_draft(), two_shifts), Texts{});
  EXPECT_EQ(faults(relay_draft(), relay), Texts{});
  EXPECT_EQ(faults(exchange_draft(), exchange), Texts{});
}

TEST(Verify, names_a_violation_by_fault_rank_round_and_block) {
  Draft draft = two_shifts_draft();
  draft.of(0).round(1).sends.clear();
  draft.of(1).round(1).receives.clear();
  Verdict const verdict = verify(draft.schedule(), two_shifts);
  ASSERT_EQ(verdict.violations.size(), 1u);
  EXPECT_EQ(verdict.violations[0].fault, Fault::lost_block);
  EXPECT_EQ(verdict.violations[0].rank, Rank(1));
  EXPECT_EQ(verdict.violations[0].round, 2);
  EXPECT_EQ(verdict.violations[0].block, (Content{Rank(0), BlockId(0)}));
  EXPECT_EQ(verdict.violations[0].text, "rank 1, round 2: block 0 of rank 0 is lost, it is owed in receive[0]");
  EXPECT_FALSE(verdict.delivered);
  EXPECT_FALSE(verdict.valid());
}

TEST(Verify, names_a_block_that_a_relay_never_got) {
  Draft draft = relay_draft();
  draft.of(0).round(1).sends.clear();
  draft.of(1).round(1).receives.clear();
  EXPECT_EQ(faults(draft, relay), (Texts{"rank 1, round 2: intermediate[0] is sent to rank 2 but holds no block yet",
                                         "rank 2, round 2: block 0 of rank 0 is lost, it is owed in receive[0]"}));
}

TEST(Verify, names_a_place_that_is_copied_but_holds_nothing) {
  Draft draft = two_shifts_draft();
  draft.of(3).round(1).copies = {{intermediate_slot(0), intermediate_slot(1)}};
  EXPECT_EQ(faults(draft, two_shifts),
            (Texts{"rank 3, round 1: intermediate[0] is copied into intermediate[1] but holds no block yet"}));
}

TEST(Verify, names_a_duplicate) {
  Draft draft = two_shifts_draft();
  draft.message(3, 0, send_slot(0), 1, receive_slot(0));
  Verdict const verdict = verify(draft.schedule(), two_shifts);
  EXPECT_EQ(texts(verdict), (Texts{"rank 1, round 3: block 0 of rank 0 is delivered once more to receive[0]"}));
  EXPECT_TRUE(verdict.delivered);
  EXPECT_FALSE(verdict.valid());
  EXPECT_EQ(verdict.redundant_blocks, 1);
}

// Rank 1 sends block 0 of rank 0 on from its place, back to rank 0, and gets it there once more: two redundant
// receives.
TEST(Verify, lets_a_block_come_again_to_its_place_after_it_was_sent_on_and_counts_it) {
  Draft draft = two_shifts_draft();
  draft.message(3, 1, receive_slot(0), 0, intermediate_slot(0));
  draft.message(4, 0, send_slot(0), 1, receive_slot(0));
  Verdict const verdict = verify(draft.schedule(), two_shifts);
  EXPECT_TRUE(verdict.valid());
  EXPECT_EQ(verdict.redundant_blocks, 2);
}

TEST(Verify, lets_a_block_come_again_to_an_intermediate_place_and_counts_it) {
  Draft draft = two_shifts_draft();
  draft.message(3, 0, send_slot(0), 1, intermediate_slot(0));
  draft.message(4, 0, send_slot(0), 1, intermediate_slot(0));
  Verdict const verdict = verify(draft.schedule(), two_shifts);
  EXPECT_TRUE(verdict.valid());
  EXPECT_EQ(verdict.redundant_blocks, 2);
}

TEST(Verify, counts_a_rank_s_own_block_that_comes_back_as_redundant) {
  Draft draft = two_shifts_draft();
  draft.message(3, 1, receive_slot(0), 0, intermediate_slot(0));
  Verdict const verdict = verify(draft.schedule(), two_shifts);
  EXPECT_TRUE(verdict.valid());
  EXPECT_EQ(verdict.redundant_blocks, 1);
}

TEST(Verify, names_blocks_in_each_other_s_place) {
  Draft draft = exchange_draft();
  draft.of(1).round(1).receives[0].places = {receive_slot(1), receive_slot(0)};
  EXPECT_EQ(faults(draft, exchange),
            (Texts{"rank 1, round 1: block 1 of rank 0 lies in receive[0], where block 0 of rank 0 is owed",
                   "rank 1, round 1: block 0 of rank 0 lies in receive[1], where block 1 of rank 0 is owed"}));
}

TEST(Verify, names_a_block_written_over_in_the_send_buffer) {
  Draft draft = relay_draft();
  draft.of(1).round(1).receives[0].places = {send_slot(0)};
  draft.of(1).round(2).sends[0].places = {send_slot(0)};
  EXPECT_EQ(faults(draft, relay),
            (Texts{"rank 1, round 1: block 0 of rank 1 is written over in send[0], which is only read"}));
}

TEST(Verify, names_a_block_written_over_before_it_was_read) {
  Draft draft = relay_draft();
  draft.of(1).round(1).copies = {{send_slot(0), intermediate_slot(0)}};
  EXPECT_EQ(faults(draft, relay),
            (Texts{"rank 1, round 1: block 0 of rank 0 is written over in intermediate[0] before it was read",
                   "rank 2, round 2: block 0 of rank 1 lies in receive[0], where block 0 of rank 0 is owed"}));
}

TEST(Verify, names_a_block_written_over_where_it_was_owed) {
  Draft draft = two_shifts_draft();
  draft.of(2).round(2).receives[0].places = {receive_slot(0)};
  EXPECT_EQ(faults(draft, two_shifts),
            (Texts{"rank 2, round 2: block 0 of rank 1 is written over in receive[0] where it was owed",
                   "rank 2, round 2: block 1 of rank 0 lies in receive[0], where block 0 of rank 1 is owed",
                   "rank 2, round 2: block 1 of rank 0 is lost, it is owed in receive[1]"}));
}

TEST(Verify, names_a_block_written_over_where_it_was_owed_though_it_was_sent_on) {
  Draft draft = two_shifts_draft();
  draft.message(2, 2, receive_slot(0), 3, intermediate_slot(0));
  draft.of(2).round(3).copies = {{send_slot(0), receive_slot(0)}};
  draft.message(3, 0, send_slot(0), 1, intermediate_slot(0));  // so that there is a round 3
  draft.promises.ports = 2;
  EXPECT_EQ(faults(draft, two_shifts),
            (Texts{"rank 2, round 3: block 0 of rank 1 is written over in receive[0] where it was owed",
                   "rank 2, round 3: block 0 of rank 2 lies in receive[0], where block 0 of rank 1 is owed"}));
}

TEST(Verify, names_a_block_written_over_while_it_is_sent) {
  Draft draft = relay_draft();
  draft.promises.ports = 2;
  draft.message(2, 0, send_slot(0), 1, intermediate_slot(0));
  EXPECT_EQ(faults(draft, relay),
            (Texts{"rank 1, round 2: block 0 of rank 0 is written over in intermediate[0] while it is sent"}));
}

TEST(Verify, names_two_receives_of_a_round_into_one_place) {
  Draft draft = relay_draft();
  draft.promises = {2, Links::any};
  draft.message(1, 3, send_slot(0), 1, intermediate_slot(0));
  EXPECT_EQ(
      faults(draft, relay),
      (Texts{"rank 1, round 1: block 0 of rank 0 is written over in intermediate[0] by a second receive of this round",
             "rank 2, round 2: block 0 of rank 3 lies in receive[0], where block 0 of rank 0 is owed"}));
}

}  // namespace
}  // namespace rondo
