#include "schedule/measure.hpp"

#include <gtest/gtest.h>

#include "draft.hpp"

namespace rondo {
namespace {

using namespace testing;

/// The 9-point stencil hop by hop [Traeff16, Proposition 1]: D = 4 rounds; V = 4 * 1 + 4 * 2 = 12 blocks; every
/// direction of the first dimension carries 3 blocks, of the second one too.
TEST(Measure, counts_the_nine_point_stencil) {
  Measures const m = measure(hop_by_hop(Torus({4, 5}), moore(2, 1), 8_B).schedule());
  EXPECT_EQ(m.rounds, 4);
  EXPECT_EQ(m.volume_blocks, 12);
  EXPECT_EQ(m.received_blocks, 12);
  EXPECT_EQ(m.critical_blocks, 12);
  EXPECT_EQ(m.total_blocks, 20 * 12);
  EXPECT_EQ(m.volume_bytes, 96_B);
  EXPECT_EQ(m.critical_bytes, 96_B);
  EXPECT_EQ(m.total_bytes, Bytes(20 * 96));
  EXPECT_EQ(m.messages, 20 * 4);
  EXPECT_EQ(m.ports, 1);
}

/// Rank 0 sends 2 blocks in round 1, rank 1 sends 1 block in round 1 and 1 in round 3; rank 2 receives 3 of the 4.
TEST(Measure, takes_the_largest_rank_and_the_largest_message_of_each_round) {
  Draft draft = blank({3}, 4, 8_B);
  draft.of(0).round(1).sends.push_back({2, {send_slot(0), send_slot(1)}});
  draft.of(2).round(1).receives.push_back({0, {receive_slot(0), receive_slot(1)}});
  draft.message(1, 1, send_slot(0), 2, receive_slot(2));
  draft.message(3, 1, send_slot(1), 0, receive_slot(0));
  Measures const m = measure(draft.schedule());
  EXPECT_EQ(m.rounds, 3);
  EXPECT_EQ(m.volume_blocks, 2);
  EXPECT_EQ(m.received_blocks, 3);
  EXPECT_EQ(m.critical_blocks, 2 + 0 + 1);
  EXPECT_EQ(m.total_blocks, 4);
  EXPECT_EQ(m.messages, 3);
  EXPECT_EQ(m.ports, 2);
}

TEST(Measure, counts_rounds_with_messages_only) {
  Draft draft = blank({2}, 1, 8_B);
  draft.of(0).round(2).copies.push_back({send_slot(0), receive_slot(0)});
  EXPECT_EQ(measure(draft.schedule()).rounds, 0);
  draft.message(1, 0, send_slot(0), 1, receive_slot(0));
  EXPECT_EQ(measure(draft.schedule()).rounds, 1);
}

/// Slots of 4 and 12 bytes with m = 8 bytes: 16 bytes are 2 blocks.
TEST(Measure, counts_split_blocks_in_bytes) {
  Draft draft = blank({2}, 2, 8_B);
  for (DraftProgram& each : draft.programs) {
    for (BufferLayout& buffer : each.layout.buffers) buffer.sizes = {4_B, 12_B};
  }
  draft.message(1, 0, send_slot(0), 1, receive_slot(0));
  EXPECT_EQ(measure(draft.schedule()).volume_blocks, 0.5);
  draft.message(2, 0, send_slot(1), 1, receive_slot(1));
  EXPECT_EQ(measure(draft.schedule()).volume_blocks, 2);
  EXPECT_EQ(measure(draft.schedule()).volume_bytes, 16_B);
  for (DraftProgram& each : draft.programs) each.layout.block = 0_B;
  EXPECT_EQ(measure(draft.schedule()).volume_blocks, 2) << "with m = 0 the places are counted";
}

TEST(Measure, counts_empty_blocks_and_empty_schedules) {
  Measures const empty_blocks = measure(straightforward(Torus({5}), moore(1, 1), 0_B).schedule());
  EXPECT_EQ(empty_blocks.volume_blocks, 2);
  EXPECT_EQ(empty_blocks.volume_bytes, 0_B);
  Measures const nothing = measure(straightforward(Torus({1}), moore(1, 1), 8_B).schedule());
  EXPECT_EQ(nothing.rounds, 0);
  EXPECT_EQ(nothing.messages, 0);
  EXPECT_EQ(measure(Schedule{}).rounds, 0);
}

TEST(Measure, reads_broken_schedules_too) {
  Draft draft = blank({2}, 1, 8_B);
  draft.of(0).layout[Buffer::send].sizes = {8_B};
  draft.message(1, 0, send_slot(7), 1, receive_slot(0));
  EXPECT_EQ(measure(draft.schedule()).volume_bytes, 0_B);
}

TEST(Measure, isomorphic_schedules_count_as_their_expansion_does) {
  Draft const draft = hop_by_hop(Torus({3, 4}), moore(2, 2), 8_B);
  Measures const one = measure(draft.schedule());
  Measures const all = measure(expanded(draft.schedule()).schedule());
  EXPECT_EQ(one.total_blocks, all.total_blocks);
  EXPECT_EQ(one.messages, all.messages);
  EXPECT_EQ(one.critical_bytes, all.critical_bytes);
  EXPECT_EQ(one.volume_blocks, all.volume_blocks);
}

}  // namespace
}  // namespace rondo
