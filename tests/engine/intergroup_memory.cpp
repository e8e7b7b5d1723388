// Large blocks at many ranks: no payload is kept or copied.

#include <gtest/gtest.h>

#include "engine/engine.hpp"
#include "generate/generate.hpp"

namespace rondo {
namespace {

Timing timed(Schedule const& schedule, Groups const& groups, std::vector<int> pieces, MachineTopology topology) {
  Platform machine;
  machine.topology = std::move(topology);
  machine.latency = Seconds(1e-6);
  machine.bandwidth = BytesPerSecond(1e10);
  EngineOptions options;
  options.payload = Payload::timing;
  Outcome outcome = simulate_smpi(schedule, IntergroupPromise{groups, std::move(pieces)}, machine, options);
  EXPECT_TRUE(outcome.result) << outcome.error;
  return outcome.result.value_or(Timing{});
}

constexpr Bytes most_memory{std::int64_t{1} << 30};
constexpr Bytes block{std::int64_t{4} << 20};
constexpr double message_time = 1e-6 + (4 << 20) / 1e10;

TEST(LongIntergroupMemory, DISABLED_blocks_of_4_mebibytes_on_a_ring_of_1024_ranks_take_less_than_a_gibibyte) {
  Groups const groups(512, 512);
  Timing const optimal = timed(generate::intergroup_ring_optimal({groups, block}), groups, {}, Ring{1024});
  EXPECT_LT(optimal.peak_memory.value, most_memory.value);
  EXPECT_GT(optimal.peak_memory.value, 0);
  EXPECT_FALSE(optimal.payload_verified);
  // steps * (alpha + beta m): p + q/2 - 1 of them
  EXPECT_NEAR(optimal.makespan.value / (767 * message_time), 1, 1e-9);
}

TEST(LongIntergroupMemory, DISABLED_so_do_the_algorithms_for_fully_connected_machines) {
  for (auto const& [p, q] : {std::pair(256, 768), {768, 256}}) {
    Groups const groups(p, q);
    Timing const allgather =
        timed(generate::intergroup_group_allgather(
                  {groups, block, problem::IntraAllgather::ring, problem::Broadcast::scatter_allgather}),
              groups, generate::intergroup_pieces({groups, block, {}, problem::Broadcast::scatter_allgather}),
              FullyConnected{1024});
    EXPECT_LT(allgather.peak_memory.value, most_memory.value) << p;
    Timing const root =
        timed(generate::intergroup_root_gathering({groups, block, {}, problem::Broadcast::scatter_allgather}), groups,
              generate::intergroup_pieces({groups,
                                           block,
                                           {},
                                           problem::Broadcast::scatter_allgather,
                                           {},
                                           problem::IntergroupAlgorithm::root_gathering}),
              FullyConnected{1024});
    EXPECT_LT(root.peak_memory.value, most_memory.value) << p;
  }
}

}  // namespace
}  // namespace rondo
