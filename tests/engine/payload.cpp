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
