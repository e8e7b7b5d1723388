// Planted faults of messages: sizes, matching, rounds, circular waits.

#include <gtest/gtest.h>

#include "planted.hpp"

namespace rondo {
namespace {

using namespace testing;

TEST(Verify, names_a_message_with_another_number_of_blocks) {
  Draft draft = exchange_draft();
  draft.of(1).round(1).receives[0].places.pop_back();
  EXPECT_EQ(faults(draft, exchange),
            (Texts{"rank 1, round 1: the message from rank 0 carries 2 blocks and is received into 1 place: "
                   "no place for block 1 of rank 0",
                   "rank 1, round 1: block 1 of rank 0 is lost, it is owed in receive[1]"}));
}

TEST(Verify, names_a_block_of_another_size) {
  Draft draft = exchange_draft();
  draft.of(1).layout[Buffer::receive].sizes = {8_B, 4_B};
  Verdict const verdict = verify(draft.schedule(), exchange);
  EXPECT_EQ(texts(verdict),
            (Texts{"rank 1, round 1: block 1 of rank 0 is sent by rank 0 as 8B and received into receive[1] of 4B"}));
  EXPECT_EQ(verdict.violations[0].block, (Content{Rank(0), BlockId(1)}));
}

TEST(Verify, names_a_copy_of_another_size) {
  Draft draft = two_shifts_draft();
  draft.of(2).layout[Buffer::intermediate].sizes = {4_B, 8_B};
  draft.of(2).round(0).copies = {{send_slot(1), intermediate_slot(0)}};
  EXPECT_EQ(faults(draft, two_shifts),
            (Texts{"rank 2, round 0: block 1 of rank 2 is copied from send[1] of 8B into intermediate[0] of 4B"}));
}

TEST(Verify, names_an_unmatched_send) {
  Draft draft = two_shifts_draft();
  draft.of(3).round(2).receives.clear();
  Verdict const verdict = verify(draft.schedule(), two_shifts);
  EXPECT_EQ(texts(verdict), (Texts{"rank 1, round 2: the message to rank 3 with block 1 of rank 1 is met by no receive",
                                   "rank 3, round 2: block 1 of rank 1 is lost, it is owed in receive[1]"}));
  EXPECT_EQ(verdict.violations[0].block, (Content{Rank(1), BlockId(1)}));
}

TEST(Verify, names_an_unmatched_receive_and_that_its_rank_never_ends) {
  Draft draft = two_shifts_draft();
  draft.of(0).round(3).receives = {{3, {intermediate_slot(0), intermediate_slot(1)}}};
  Verdict const verdict = verify(draft.schedule(), two_shifts);
  EXPECT_EQ(texts(verdict),
            (Texts{"rank 0, round 3: the receive from rank 3 into intermediate[0] and 1 more is met by no send"}));
  EXPECT_FALSE(verdict.delivered);
}

/// Six ranks: block 0 goes one rank on in round 1 and two more in round 2.
TEST(Verify, does_not_call_a_place_empty_that_an_unmatched_receive_should_have_filled) {
  Draft draft = blank({6}, 1, 8_B);
  for (int r = 0; r < 6; ++r) {
    draft.message(1, r, send_slot(0), (r + 1) % 6, intermediate_slot(0));
    draft.message(2, (r + 1) % 6, intermediate_slot(0), (r + 3) % 6, receive_slot(0));
  }
  draft.of(0).round(1).sends.clear();
  EXPECT_EQ(faults(draft, ring(6, {{3}})),
            (Texts{"rank 1, round 1: the receive from rank 0 into intermediate[0] is met by no send",
                   "rank 3, round 2: block 0 of rank 0 is lost, it is owed in receive[0]"}));
}

TEST(Verify, names_a_message_of_two_rounds) {
  Draft draft = two_shifts_draft();
  draft.of(1).round(3).receives = std::move(draft.of(1).round(1).receives);
  draft.of(1).round(1).receives.clear();
  Verdict const verdict = verify(draft.schedule(), two_shifts);
  EXPECT_EQ(texts(verdict),
            (Texts{"rank 1, round 3: the message from rank 0 with block 0 of rank 0 is sent in round 1"}));
  EXPECT_TRUE(verdict.delivered);
}

/// Rank 1 leaves out the first of three receives from rank 0: the others take each the message before its own.
TEST(Verify, names_the_first_message_that_a_missing_receive_shifts) {
  IsomorphicAlltoall const c = ring(2, {{1}, {1}, {1}});
  Draft draft = expanded(straightforward(c.torus, c.neighborhood, 8_B).schedule());
  draft.of(1).round(1).receives.clear();
  Texts const lines = faults(draft, c);
  ASSERT_GE(lines.size(), 2u);
  EXPECT_EQ(lines[0], "rank 1, round 2: the message from rank 0 with block 0 of rank 0 is sent in round 1");
  EXPECT_EQ(lines[1], "rank 0, round 3: the message to rank 1 with block 2 of rank 0 is met by no receive");
  EXPECT_EQ(lines.size(), 2u + 3u) << "and the three blocks, out of place or lost";
}

/// Each rank of a ring of `ranks` sends to the next one in round `sent` and receives in round `received`.
Draft ring_of_waits(int ranks, int sent, int received) {
  Draft draft = blank({ranks}, 1, 8_B);
  for (int r = 0; r < ranks; ++r) {
    draft.of(r).round(sent).sends = {{(r + 1) % ranks, {send_slot(0)}}};
    draft.of((r + 1) % ranks).round(received).receives = {{r, {receive_slot(0)}}};
    draft.of(r).round(2);
  }
  return draft;
}

TEST(Verify, names_a_circular_wait) {
  Verdict const verdict = verify(ring_of_waits(3, 2, 1).schedule(), ring(3, {{1}}));
  EXPECT_EQ(texts(verdict),
            (Texts{"rank 0, round 1: circular wait: rank 0 waits for rank 2, 2 for 1, 1 for 0 even if sends are eager",
                   "rank 0, round 1: the message from rank 2 with block 0 of rank 2 is sent in round 2",
                   "rank 1, round 1: the message from rank 0 with block 0 of rank 0 is sent in round 2",
                   "rank 2, round 1: the message from rank 1 with block 0 of rank 1 is sent in round 2"}));
  EXPECT_FALSE(verdict.delivered);
}

TEST(Verify, names_a_circular_wait_under_rendezvous_alone) {
  Verdict const verdict = verify(ring_of_waits(2, 1, 2).schedule(), ring(2, {{1}}));
  EXPECT_EQ(texts(verdict),
            (Texts{"rank 0, round 1: circular wait: rank 0 waits for rank 1, 1 for 0 if sends are rendezvous",
                   "rank 0, round 2: the message from rank 1 with block 0 of rank 1 is sent in round 1",
                   "rank 1, round 2: the message from rank 0 with block 0 of rank 0 is sent in round 1"}));
  EXPECT_TRUE(verdict.delivered);
}

TEST(Verify, names_the_smallest_of_several_circular_waits) {
  Draft draft = ring_of_waits(6, 2, 1);
  draft.promises.ports = 2;
  for (int r : {3, 5}) {  // 3 and 5 wait for each other besides
    draft.of(r).round(2).sends.push_back({8 - r, {send_slot(0)}});
    draft.of(r).round(1).receives.push_back({8 - r, {intermediate_slot(0)}});
  }
  EXPECT_EQ(faults(draft, ring(6, {{1}})).at(3),
            "rank 3, round 1: circular wait: rank 3 waits for rank 5, 5 for 3 even if sends are eager");
}

TEST(Verify, does_not_call_it_a_circle_when_a_rank_waits_for_an_unmatched_one) {
  Draft draft = ring_of_waits(3, 2, 1);
  draft.of(2).round(2).sends.clear();  // nobody meets the receive of rank 0; 1 waits for 0, 2 waits for 1
  for (std::string const& line : faults(draft, ring(3, {{1}}))) {
    EXPECT_EQ(line.find("circular"), std::string::npos) << line;
  }
}

}  // namespace
}  // namespace rondo
