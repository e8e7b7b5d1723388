// Linear timing: what is due follows from the model in platform.hpp.

#include <gtest/gtest.h>

#include "schedules.hpp"

namespace rondo {
namespace {

using namespace testing;

TEST(Smpi, has_no_jump_at_any_size) {
  for (Bytes block = 1_B; block <= 4_MiB; block = 2 * block) {
    for (Bytes const size : {block, block + 1_B}) {
      Payload const payload = size < 64_KiB ? Payload::verified : Payload::timing;
      Timing const timing = simulate(ring_shift(5, {1, 3}, size), machine(5), payload);
      EXPECT_SECONDS(timing.makespan, 2 * (1_us + size / 1_GBps)) << print(size);
    }
  }
}

TEST(Smpi, is_exact_from_picoseconds_to_minutes) {
  struct {
    Seconds latency;
    BytesPerSecond bandwidth;
  } const machines[] = {{Seconds(1e-13), BytesPerSecond(1e15)},
                        {Seconds(1e-9), BytesPerSecond(1e12)},
                        {Seconds(0), 1_GBps},
                        {Seconds(10), BytesPerSecond(10)}};
  for (auto const& [latency, bandwidth] : machines) {
    Platform platform = machine(4);
    platform.latency = latency;
    platform.bandwidth = bandwidth;
    Timing const timing = simulate(ring_shift(4, {1, 2, 3}, 1_B), platform);
    EXPECT_SECONDS(timing.makespan, 3 * (latency + 1_B / bandwidth));
  }
}

TEST(Smpi, carries_empty_blocks_for_the_latency_alone) {
  for (Payload const payload : {Payload::timing, Payload::verified}) {
    Timing const timing = simulate(ring_shift(4, {1, 2}, 0_B), machine(4), payload);
    EXPECT_SECONDS(timing.makespan, 2 * 1_us);
    EXPECT_EQ(timing.messages, 8);
    EXPECT_EQ(timing.bytes, 0_B);
  }
}

TEST(Smpi, takes_no_time_for_empty_blocks_without_latency) {
  Platform platform = machine(4);
  platform.latency = Seconds(0);
  EXPECT_EQ(simulate(ring_shift(4, {1, 2}, 0_B), platform).makespan, Seconds(0));
}

TEST(Smpi, adds_the_envelope_only_when_asked) {
  Platform platform = machine(4);
  platform.envelope = 16_B;
  Timing const timing = simulate(ring_shift(4, {1, 2}, 100_B), platform);
  EXPECT_SECONDS(timing.makespan, 2 * (1_us + 116_B / 1_GBps));
  EXPECT_EQ(timing.bytes, 8 * 100_B);
}

TEST(Smpi, adds_hop_latency_on_a_ring) {
  Platform platform = machine(8);
  platform.topology = Ring{8};
  platform.hop_latency = 100_ns;
  // 1, 3, 4 and, the other way round, 2 hops.
  Timing const timing = simulate(ring_shift(8, {1, 3, 4, 6}, 1_KiB), platform);
  EXPECT_SECONDS(timing.makespan, 4 * (1_us + 1_KiB / 1_GBps) + 6 * 100_ns);
}

TEST(Smpi, adds_hop_latency_on_a_torus) {
  Platform platform = machine(20);
  platform.topology = TorusMachine{Torus({4, 5})};
  platform.hop_latency = 100_ns;
  // One row further is one hop, two rows are two; to the next host it is two hops from the end of a row, else one.
  Timing const timing = simulate(ring_shift(20, {5, 10, 1}, 1_KiB), platform);
  EXPECT_SECONDS(timing.makespan, 3 * (1_us + 1_KiB / 1_GBps) + 2 * 100_ns);
  EXPECT_SECONDS(timing.finish[1], 3 * (1_us + 1_KiB / 1_GBps) + 100_ns);
}

TEST(Smpi, starts_as_many_messages_at_once_as_there_are_ports) {
  Seconds const one = 1_us + 1_KiB / 1_GBps;
  Platform platform = machine(9);
  for (int const ports : {2, 4, 8}) {
    platform.ports = ports;
    Timing const timing = simulate(posted_ring_shift(9, {1, 2}, 1_KiB), platform);
    EXPECT_SECONDS(timing.makespan, one) << ports;
  }
  platform.ports = 1;
  EXPECT_SECONDS(simulate(posted_ring_shift(9, {1, 2}, 1_KiB), platform).makespan, 2 * one);
}

// SimGrid frees the ports of messages that end together one after the other, and gives each to whoever then can start:
// a message of lower order may come first. No port idles while both ends of a waiting message are free, so that s
// messages of equal size on one port take at least s and at most 2s-1 times one.
TEST(Smpi, serves_posted_messages_within_twice_the_least_time) {
  Seconds const one = 1_us + 1_KiB / 1_GBps;
  for (int const s : {3, 5, 26}) {
    std::vector<int> distances;
    for (int i = 1; i <= s; ++i) distances.push_back(i);
    Timing const timing = simulate(posted_ring_shift(32, distances, 1_KiB), machine(32));
    EXPECT_GE(timing.makespan.value, (static_cast<double>(s) - 1e-9) * one.value);
    EXPECT_LE(timing.makespan.value, (2 * static_cast<double>(s) - 1 + 1e-9) * one.value);
    EXPECT_EQ(timing.messages, 32 * s);
  }
}

TEST(Smpi, repeats_itself_bit_by_bit) {
  Case const shift = posted_ring_shift(16, {1, 5, 7, 11}, 1000_B);
  Timing const first = simulate(shift, machine(16));
  Timing const second = simulate(shift, machine(16));
  EXPECT_EQ(first.makespan, second.makespan);
  EXPECT_EQ(first.finish, second.finish);
}

}  // namespace
}  // namespace rondo
