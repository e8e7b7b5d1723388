// Latency and bandwidth by the size of a message, on both engines: times from pen and paper.

#include <gtest/gtest.h>

#include "native_schedules.hpp"
#include "schedules.hpp"

namespace rondo {
namespace {

using namespace testing;

/// Up to 64 B 250 ns and 0.5 GB/s, up to 1000 B 2 us and 0.8 GB/s, then 1 us and 1 GB/s.
Platform in_pieces(int hosts, int ranks_per_host = 1) {
  Platform platform;
  platform.topology = FullyConnected{hosts};
  platform.latency = 1_us;
  platform.bandwidth = 1_GBps;
  platform.ranks_per_host = ranks_per_host;
  platform.pieces = {{64_B, 250_ns, BytesPerSecond(5e8)}, {1000_B, 2_us, BytesPerSecond(8e8)}};
  return platform;
}

/// The finish of a rank on both engines, which must agree.
double nanoseconds(std::vector<PlannedMessage> const& planned, Platform const& platform, int rank) {
  auto const p = static_cast<int>(ranks(platform));
  Schedule const schedule = schedule_of(p, planned);
  double const native = 1e9 * finish(testing::simulate_native(schedule, platform), rank).value;
  Collective const collective = IsomorphicAlltoall{Torus({p}), Neighborhood(1, {{1}})};
  double const smpi = 1e9 * finish(simulate({schedule, collective}, platform, Payload::timing), rank).value;
  EXPECT_NEAR(native, smpi, 1e-9 * native);
  return native;
}

TEST(Pieces, hold_messages_of_at_most_their_size) {
  for (auto const& [bytes, expected] : std::vector<std::pair<std::int64_t, double>>{
           {0, 250}, {64, 250 + 64 / 0.5}, {65, 2000 + 65 / 0.8}, {1000, 2000 + 1000 / 0.8}, {1001, 1000 + 1001}}) {
    EXPECT_NEAR(nanoseconds({{0, 1, 1, 1, bytes}}, in_pieces(2), 1), expected, 1e-6) << bytes;
  }
}

TEST(Pieces, go_by_the_payload_and_the_envelope_flows_with_it) {
  Platform platform = in_pieces(2);
  platform.envelope = 100_B;
  EXPECT_NEAR(nanoseconds({{0, 1, 1, 1, 64}}, platform, 1), 250 + 164 / 0.5, 1e-6);
}

TEST(Pieces, add_hops_to_their_own_latency_and_leave_messages_within_a_host_alone) {
  Platform ring = in_pieces(6);
  ring.topology = Ring{6};
  ring.hop_latency = 100_ns;
  EXPECT_NEAR(nanoseconds({{0, 3, 1, 1, 64}}, ring, 3), 250 + 2 * 100 + 64 / 0.5, 1e-6);
  EXPECT_NEAR(nanoseconds({{0, 1, 1, 1, 64}}, in_pieces(2, 2), 1), 1000 + 64, 1e-6);
}

// Two ranks of host 0 send 800 B each to host 1. Alone, each would flow with 0.8 GB/s; the NIC's 1 GB/s gives 0.5 to
// each. Where the other sends 1600 B, it starts to flow at 1000 ns with 1 GB/s, has 600 B left when 800 B more begin to
// flow at 2000 ns, then both have 0.5: the larger ends at 3200 ns, and the smaller, with 200 B left, goes on with its
// 0.8.
TEST(Pieces, bound_each_flow_where_flows_share_a_nic) {
  Platform const platform = in_pieces(2, 2);
  EXPECT_NEAR(nanoseconds({{0, 2, 1, 1, 800}, {1, 3, 1, 1, 800}}, platform, 2), 2000 + 800 / 0.5, 1e-6);
  std::vector<PlannedMessage> const unequal = {{0, 2, 1, 1, 800}, {1, 3, 1, 1, 1600}};
  EXPECT_NEAR(nanoseconds(unequal, platform, 3), 3200, 1e-6);
  EXPECT_NEAR(nanoseconds(unequal, platform, 2), 3200 + 200 / 0.8, 1e-6);
}

// Alone, 500 B take 2000 + 500 / 0.5 = 3000 ns and 2000 B take 1000 + 2000 = 3000 ns: equal durations of different
// bytes. Together the 2000 B flow alone until 2000 ns, when 1000 B are left; then both have 0.5 GB/s: the 500 B end at
// 3000 ns, and the others, with 500 B left, at 3500 ns.
TEST(Pieces, of_one_duration_are_told_apart_by_their_bytes) {
  Platform platform = in_pieces(2, 2);
  platform.pieces = {{1000_B, 2_us, BytesPerSecond(5e8)}};
  std::vector<PlannedMessage> const planned = {{0, 2, 1, 1, 500}, {1, 3, 1, 1, 2000}};
  EXPECT_NEAR(nanoseconds(planned, platform, 2), 3000, 1e-6);
  EXPECT_NEAR(nanoseconds(planned, platform, 3), 3500, 1e-6);
}

// Under flow timing the same way lies between the CPUs: o_send, the start-up, the bytes, o_recv. The eager 800 B of two
// ranks that share a NIC go off together at 300 ns and have 0.5 GB/s each from 2300 ns on, less than their piece's 0.8.
TEST(Pieces, lie_between_the_cpus_of_flow_timing) {
  Platform platform = in_pieces(2);
  platform.timing = TimingModel::flow;
  platform.flow = {.o_send = 300_ns, .o_recv = 200_ns, .eager = 4_KiB};
  EXPECT_NEAR(nanoseconds({{0, 1, 1, 1, 64}}, platform, 1), 300 + 250 + 64 / 0.5 + 200, 1e-6);
  EXPECT_NEAR(nanoseconds({{0, 1, 1, 1, 1001}}, platform, 1), 300 + 1000 + 1001 + 200, 1e-6);
  platform.ranks_per_host = 2;
  EXPECT_NEAR(nanoseconds({{0, 2, 1, 1, 800}, {1, 3, 1, 1, 800}}, platform, 2), 300 + 2000 + 800 / 0.5 + 200, 1e-6);
}

}  // namespace
}  // namespace rondo
