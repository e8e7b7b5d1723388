// Tests of payload: blocks whose bytes are moved and verified, and messages without payload, which move no bytes.

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "schedules.hpp"

namespace rondo {
namespace {

using namespace testing;

TEST(Smpi, moves_blocks_over_the_intermediate_buffer_with_derived_datatypes) {
  Case const combined = combined_ring(5, 1000_B);
  Timing const timing = simulate(combined, machine(5), Payload::verified);
  EXPECT_TRUE(timing.payload_verified);
  EXPECT_SECONDS(timing.makespan, 2 * 1_us + 3000_B / 1_GBps);
  EXPECT_EQ(timing.messages, 10);
  EXPECT_EQ(timing.bytes, 5 * 3000_B);
}

TEST(Smpi, moves_blocks_of_different_sizes) {
  Case shift = combined_ring(5, 0_B, {7_B, 4096_B});
  Timing const timing = simulate(shift, machine(5), Payload::verified);
  EXPECT_SECONDS(timing.makespan, 2 * 1_us + (4103_B + 4096_B) / 1_GBps);
}

TEST(Smpi, copies_a_block_to_the_rank_itself_in_no_time) {
  Case const itself = self_copy(4, 64_B);
  Timing const timing = simulate(itself, machine(4));
  EXPECT_TRUE(timing.payload_verified);
  EXPECT_EQ(timing.makespan, Seconds(0));
  EXPECT_EQ(timing.messages, 0);
}

TEST(Smpi, sees_swapped_blocks_of_one_byte) {
  Case const wrong = ring_shift(64, {1, 2}, 1_B, Flaw::swapped);
  EXPECT_EQ(simulate_failure(wrong, machine(64)).failure, Failure::wrong_data);
}

TEST(Smpi, sees_a_block_that_never_came) {
  Case wrong = ring_shift(4, {1, 2}, 1_B);
  wrong.collective = IsomorphicAlltoall{Torus({4}), Neighborhood(1, {{1}, {2}, {3}})};
  Outcome const outcome = simulate_failure(wrong, machine(4));
  EXPECT_EQ(outcome.error, "rank 0: receive slot 2 does not hold block 2 of rank 1 (byte 0 differs)");
}

/// All ranks, a power of two, get the join of all their blocks in rank order: in round k they exchange what they have
/// with the rank whose number differs in bit k - 1. `swapped`: the rank that joins from the wrong side in round 1.
Case butterfly(int ranks, Bytes block, ReductionRules rules, int swapped = -1) {
  StatedPromise promise{{}, {}, rules};
  Schedule schedule;
  schedule.ranks = ranks;
  Place const mine = send_slot(0);
  Place const sum = receive_slot(0);
  for (int r = 0; r < ranks; ++r) {
    promise.held.push_back({{Rank(r), BlockId(0)}});
    promise.owed.push_back({Owed(BlockId(0), 0, ranks)});
    Layout layout{block, {}};
    layout[Buffer::send].slots = layout[Buffer::receive].slots = 1;
    ProgramBuilder builder(layout);
    builder.copy(mine, sum);
    for (int bit = 1; bit < ranks; bit *= 2) {
      builder.begin_round();
      bool const from_left = ((r ^ bit) < r) != (r == swapped && bit == 1);
      builder.receive(r ^ bit, {&sum, 1}, from_left ? Join::before : Join::after);
      builder.send(r ^ bit, {&sum, 1});
    }
    schedule.programs.push_back(std::move(builder).finish());
    schedule.program_of.push_back(static_cast<std::uint32_t>(r));
  }
  return {std::move(schedule), std::move(promise)};
}

TEST(Smpi, reduces_payload_in_rank_order_and_sees_where_it_is_not) {
  for (ReductionRules const rules :
       {ReductionRules{}, ReductionRules{true, true, false}, ReductionRules{false, false, true}}) {
    Timing const timing = simulate(butterfly(8, 24_B, rules), machine(8), Payload::verified);
    EXPECT_TRUE(timing.payload_verified);
    EXPECT_SECONDS(timing.makespan, 3 * (1_us + 24_B / 1_GBps));
  }
  Outcome const outcome = simulate_failure(butterfly(8, 24_B, {true, false, false}, 5), machine(8));
  EXPECT_EQ(outcome.failure, Failure::wrong_data);
  EXPECT_EQ(outcome.error.substr(0, 75), "rank 1: receive slot 0 does not hold block 0 of 8 ranks, reduced, (byte 0 d");
  EXPECT_TRUE(simulate(butterfly(8, 24_B, {}, 5), machine(8), Payload::verified).payload_verified) << "bytes are added";
}

TEST(Smpi, sees_a_contribution_that_never_came_to_a_sum) {
  Case whole = butterfly(4, 1000_B, {});
  std::get<StatedPromise>(whole.collective).owed[2] = {Owed(BlockId(0), {Rank(0), Rank(1), Rank(2), Rank(3), Rank(3)})};
  EXPECT_EQ(simulate_failure(whole, machine(4)).failure, Failure::wrong_data);
}

TEST(Smpi, joins_what_is_copied_and_what_comes_in_one_round_in_its_order) {
  // Rank 0 joins rank 1's two messages behind a copy of its own block, and its own block once more behind that.
  ReductionRules const ordered{true, false, false};
  Place const mine = send_slot(0);
  Place const sum = receive_slot(0);
  Layout layout{100_B, {}};
  layout[Buffer::send].slots = 2;
  layout[Buffer::receive].slots = 1;
  ProgramBuilder zero(layout), one(layout);
  zero.copy(mine, sum);
  zero.begin_round();
  zero.receive(1, {&sum, 1}, Join::after);
  zero.receive(1, {&sum, 1}, Join::after);
  zero.copy(mine, sum, Join::after);
  one.begin_round();
  Place const other = send_slot(1);
  one.send(0, {&mine, 1});
  one.send(0, {&other, 1});
  Schedule schedule;
  schedule.ranks = 2;
  schedule.programs.push_back(std::move(zero).finish());
  schedule.programs.push_back(std::move(one).finish());
  schedule.program_of = {0, 1};
  // Both blocks of rank 1 are said to be the same block, so that they are contributions to it.
  Content const first{Rank(1), BlockId(0)};
  Content const own{Rank(0), BlockId(0)};
  StatedPromise promise{{{own, own}, {first, first}}, {{}, {}}, ordered};
  promise.owed[0] = {Owed(BlockId(0), {Rank(0), Rank(1), Rank(1), Rank(0)})};
  Case what{std::move(schedule), promise};
  EXPECT_TRUE(simulate(what, machine(2), Payload::verified).payload_verified);
  promise.owed[0] = {Owed(BlockId(0), {Rank(0), Rank(0), Rank(1), Rank(1)})};
  what.collective = promise;
  EXPECT_EQ(simulate_failure(what, machine(2)).failure, Failure::wrong_data);
}

TEST(Smpi, verifies_by_itself_while_the_payload_is_small) {
  EXPECT_TRUE(simulate(ring_shift(4, {1}, 1_MiB), machine(4)).payload_verified);
  EXPECT_FALSE(simulate(ring_shift(4, {1}, 64_MiB), machine(4)).payload_verified);
}

// 2, 3, 6 and 7 GiB are negative as 32-bit integers, 4 GiB is 0.
TEST(Smpi, carries_messages_of_any_number_of_gibibytes) {
  for (int const gibibytes : {1, 2, 3, 4, 5, 6, 7, 15}) {
    Bytes const block(std::int64_t{gibibytes} << 30);
    Timing const timing = simulate(ring_shift(2, {1}, block), machine(2));
    EXPECT_SECONDS(timing.makespan, 1_us + block / 1_GBps) << gibibytes;
    EXPECT_EQ(timing.bytes, 2 * block) << gibibytes;
    EXPECT_LE(timing.peak_memory, Bytes(std::int64_t{1} << 30)) << gibibytes;
  }
}

TEST(Smpi, refuses_a_size_that_no_count_of_mpi_expresses) {
  Bytes const block((std::int64_t{5} << 30) + 1);
  EXPECT_THROW(simulate(ring_shift(2, {1}, block), machine(2)), InputError);
}

TEST(Smpi, simulates_1024_ranks_with_4_mebibyte_blocks_in_a_gibibyte) {
  std::vector<int> distances;
  for (int i = 1; i <= 26; ++i) distances.push_back(i);
  Timing const timing = simulate(ring_shift(1024, distances, 4_MiB), machine(1024));
  EXPECT_SECONDS(timing.makespan, 26 * (1_us + 4_MiB / 1_GBps));
  EXPECT_LE(timing.peak_memory, Bytes(std::int64_t{1} << 30));
}

}  // namespace
}  // namespace rondo
