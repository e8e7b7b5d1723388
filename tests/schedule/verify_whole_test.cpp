// Schedules that are right, built by hand; and the one rank that speaks for all where all do the same.

#include <gtest/gtest.h>

#include "draft.hpp"
#include "schedule/verify.hpp"

namespace rondo {
namespace {

using namespace testing;

std::string first_text(Verdict const& verdict) {
  return verdict.violations.empty() ? "no violation" : verdict.violations[0].text;
}

TEST(Verify, accepts_a_pairwise_exchange_of_two_ranks) {
  Draft draft = blank({2}, 1, 8_B);
  draft.message(1, 0, send_slot(0), 1, receive_slot(0));
  draft.message(1, 1, send_slot(0), 0, receive_slot(0));
  Verdict const verdict = verify(draft.schedule(), IsomorphicAlltoall{Torus({2}), Neighborhood(1, {{1}})});
  EXPECT_TRUE(verdict.valid()) << first_text(verdict);
  EXPECT_EQ(verdict.redundant_blocks, 0);
}

/// Block 1 waits in the intermediate buffer of the rank between, and is copied to its place from a place of its own.
TEST(Verify, accepts_a_relay_with_a_copy_at_its_end) {
  IsomorphicAlltoall const c{Torus({6}), Neighborhood(1, {{1}, {2}, {0}})};
  Draft draft = blank({6}, 3, 8_B);
  for (int r = 0; r < 6; ++r) {
    draft.of(r).round(0).copies = {{send_slot(2), receive_slot(2)}};
    draft.of(r).round(1).sends = {{(r + 1) % 6, {send_slot(0), send_slot(1)}}};
    draft.of(r).round(1).receives = {{(r + 5) % 6, {receive_slot(0), intermediate_slot(1)}}};
    draft.of(r).round(2).sends = {{(r + 1) % 6, {intermediate_slot(1)}}};
    draft.of(r).round(2).receives = {{(r + 5) % 6, {intermediate_slot(0)}}};
    draft.of(r).round(2).copies = {{intermediate_slot(0), receive_slot(1)}};
  }
  draft.promises.links = Links::unit;
  Verdict const verdict = verify(draft.schedule(), c);
  EXPECT_TRUE(verdict.valid()) << first_text(verdict);
}

/// A block leaves a place in the round in which another one arrives at the place beside it: turn by turn, no copies.
TEST(Verify, accepts_blocks_that_alternate_between_two_buffers) {
  for (int const hops : {1, 2, 3, 4, 5}) {
    SCOPED_TRACE(hops);
    IsomorphicAlltoall const c{Torus({6}), Neighborhood(1, {{hops}, {-hops}})};
    Verdict const verdict = verify(hop_by_hop(c.torus, c.neighborhood, 8_B).schedule(), c);
    EXPECT_TRUE(verdict.valid()) << first_text(verdict);
    EXPECT_EQ(verdict.redundant_blocks, 0);
  }
}

/// On 2 x 2 ranks +1 and -1 lead to the same neighbor, +2 leads home: messages of one round match in posting order,
/// and blocks pass their goal and come back.
TEST(Verify, accepts_blocks_that_wrap_around_small_tori) {
  for (std::vector<int> const& extents : {std::vector{2, 2}, {1, 5}, {3, 3}, {2, 1}, {1, 1}, {4, 2}}) {
    for (int const radius : {1, 2, 3, 5}) {
      SCOPED_TRACE(::testing::PrintToString(extents) + " radius " + std::to_string(radius));
      IsomorphicAlltoall const c{Torus(extents), moore(2, radius)};
      for (Draft const& draft :
           {hop_by_hop(c.torus, c.neighborhood, 8_B), straightforward(c.torus, c.neighborhood, 8_B)}) {
        Verdict const one = verify(draft.schedule(), c);
        Verdict const all = verify(expanded(draft.schedule()).schedule(), c);
        EXPECT_TRUE(one.valid()) << first_text(one);
        EXPECT_TRUE(all.valid()) << first_text(all);
        EXPECT_EQ(one.redundant_blocks, all.redundant_blocks);
      }
    }
  }
}

TEST(Verify, accepts_all_messages_posted_at_once_if_that_is_promised) {
  IsomorphicAlltoall const c{Torus({3, 3}), moore(2, 2)};
  Draft draft = straightforward(c.torus, c.neighborhood, 8_B);
  DraftProgram& program = draft.of(0);
  for (std::size_t k = 2; k < program.rounds.size(); ++k) {
    program.rounds[1].sends.push_back(program.rounds[k].sends[0]);
    program.rounds[1].receives.push_back(program.rounds[k].receives[0]);
  }
  program.rounds.resize(2);
  EXPECT_EQ(verify(draft.schedule(), c).violations.at(0).fault, Fault::ports);
  draft.promises.ports = 0;
  EXPECT_TRUE(verify(draft.schedule(), c).valid());
}

/// The block of each rank runs along the ring: each rank sends on from the place where the block is owed.
TEST(Verify, accepts_an_allgather_that_sends_on_what_it_received) {
  IsomorphicAllgather const c{Torus({5}), Neighborhood(1, {{1}, {2}, {3}})};
  Draft draft = straightforward(c.torus, Neighborhood(1, {{1}, {1}, {1}}), 8_B);
  draft.of(0).layout[Buffer::send].slots = 1;
  draft.of(0).round(2).sends[0].places = {receive_slot(0)};
  draft.of(0).round(3).sends[0].places = {receive_slot(1)};
  for (Schedule const& schedule : {draft.schedule(), expanded(draft.schedule()).schedule()}) {
    Verdict const verdict = verify(schedule, c);
    EXPECT_TRUE(verdict.valid()) << first_text(verdict);
    EXPECT_EQ(verdict.redundant_blocks, 0);
  }
}

/// On a mesh of 3 the last rank sends nothing and receive slot 0 of the first one is nobody's.
TEST(Verify, accepts_slots_that_nobody_fills_on_a_mesh) {
  IsomorphicAlltoall const c{Torus({3}), Neighborhood(1, {{1}}), Boundary::open};
  Draft draft = blank({3}, 1, 8_B);
  draft.message(1, 0, send_slot(0), 1, receive_slot(0));
  draft.message(1, 1, send_slot(0), 2, receive_slot(0));
  Verdict const verdict = verify(draft.schedule(), c);
  EXPECT_TRUE(verdict.valid()) << first_text(verdict);
}

TEST(Verify, accepts_one_size_for_each_block) {
  IsomorphicAlltoall const c{Torus({4}), Neighborhood(1, {{1}, {3}})};
  Draft draft = hop_by_hop(c.torus, c.neighborhood, 8_B);
  for (BufferLayout& buffer : draft.of(0).layout.buffers) buffer.sizes = {0_B, 5_B};
  Verdict const verdict = verify(draft.schedule(), c);
  EXPECT_TRUE(verdict.valid()) << first_text(verdict);
}

TEST(Verify, accepts_a_rank_alone_and_an_empty_neighborhood) {
  IsomorphicAlltoall const alone{Torus({1}), moore(1, 1)};
  EXPECT_TRUE(verify(straightforward(alone.torus, alone.neighborhood, 8_B).schedule(), alone).valid());
  IsomorphicAlltoall const empty{Torus({5}), Neighborhood(1, {})};
  EXPECT_TRUE(verify(straightforward(empty.torus, empty.neighborhood, 8_B).schedule(), empty).valid());
}

/// 2^24 ranks, the most a torus has: one rank is replayed, whether the schedule is right or not.
TEST(Verify, replays_one_rank_where_all_do_the_same) {
  IsomorphicAlltoall const c{Torus({4096, 4096}), moore(2, 1)};
  Draft draft = hop_by_hop(c.torus, c.neighborhood, 8_B);
  EXPECT_TRUE(verify(draft.schedule(), c).valid());

  Draft shifted = draft;
  shifted.of(0).round(1).receives[0].places[0] = receive_slot(7);
  Verdict const verdict = verify(shifted.schedule(), c);
  EXPECT_FALSE(verdict.delivered);
  EXPECT_EQ(first_text(verdict),
            "rank 0, round 3: block 5 of rank 16773120 is written over in receive[7] before it was read");

  Draft late = draft;
  std::swap(late.of(0).round(1).receives, late.of(0).round(3).receives);
  Verdict const waiting = verify(late.schedule(), c);
  EXPECT_FALSE(waiting.delivered);
  EXPECT_EQ(first_text(waiting),
            "rank 0, round 1: circular wait: each rank waits for another as rank 0 for rank 4095 "
            "even if sends are eager");
}

}  // namespace
}  // namespace rondo
