// What the sanitizer build also runs: small simulations of each kind.

#include <gtest/gtest.h>

#include "schedules.hpp"

namespace rondo {
namespace {

using namespace testing;

TEST(SmokeSmpi, a_lockstep_shift_takes_latency_plus_bytes_over_bandwidth_a_round) {
  for (Bytes const block : {1_B, 64_B, 1_KiB, 64_KiB, 4_MiB}) {
    for (Payload const payload : {Payload::timing, Payload::verified}) {
      Case const shift = ring_shift(4, {1, 2, 3}, block);
      Timing const timing = simulate(shift, machine(4), payload);
      EXPECT_SECONDS(timing.makespan, 3 * (1_us + block / 1_GBps)) << print(block);
      EXPECT_EQ(timing.messages, 12);
      EXPECT_EQ(timing.bytes, 12 * block);
      EXPECT_EQ(timing.payload_verified, payload == Payload::verified);
      EXPECT_EQ(timing.finish.size(), 4U);
    }
  }
}

}  // namespace
}  // namespace rondo
