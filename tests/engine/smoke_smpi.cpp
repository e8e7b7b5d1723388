// What the sanitizer build also runs: a small simulation of each kind.

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "schedules.hpp"

namespace rondo {
namespace {

using namespace testing;

TEST(SmokeSmpi, a_lockstep_shift_takes_latency_plus_bytes_over_bandwidth_a_round) {
  for (Payload const payload : {Payload::timing, Payload::verified}) {
    Timing const timing = simulate(ring_shift(4, {1, 2, 3}, 1_KiB), machine(4), payload);
    EXPECT_SECONDS(timing.makespan, 3 * (1_us + 1_KiB / 1_GBps));
    EXPECT_EQ(timing.messages, 12);
    EXPECT_EQ(timing.bytes, 12 * 1_KiB);
    EXPECT_EQ(timing.payload_verified, payload == Payload::verified);
    EXPECT_EQ(timing.finish.size(), 4U);
  }
}

TEST(SmokeSmpi, one_rank_and_no_rounds_take_no_time) {
  EXPECT_EQ(simulate(ring_shift(1, {}, 1_KiB), machine(1)).makespan, Seconds(0));
  EXPECT_EQ(simulate(ring_shift(8, {}, 1_KiB), machine(8)).makespan, Seconds(0));
}

TEST(SmokeSmpi, swapped_places_are_wrong_data_of_a_named_rank_and_block) {
  Case const wrong = ring_shift(4, {1, 2}, 64_B, Flaw::swapped);
  Outcome const outcome = simulate_failure(wrong, machine(4));
  EXPECT_EQ(outcome.failure, Failure::wrong_data);
  EXPECT_EQ(outcome.error, "rank 0: receive slot 0 does not hold block 0 of rank 3 (byte 0 differs)");
}

TEST(SmokeSmpi, a_receive_that_no_send_meets_is_a_deadlock_that_names_ranks_and_rounds) {
  Case const wrong = ring_shift(3, {1, 1}, 64_B, Flaw::unsent);
  Outcome const outcome = simulate_failure(wrong, machine(3));
  EXPECT_EQ(outcome.failure, Failure::deadlock);
  EXPECT_EQ(outcome.error, "deadlock: rank 0 in round 2, rank 1 in round 2, rank 2 in round 2 wait for ever");
}

TEST(SmokeSmpi, more_ranks_than_hosts_are_bad_input) {
  EXPECT_THROW(simulate(ring_shift(4, {1}, 1_B), machine(3)), InputError);
}

}  // namespace
}  // namespace rondo
