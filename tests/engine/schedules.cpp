#include "schedules.hpp"

#include <gtest/gtest.h>

namespace rondo::testing {

namespace {

Neighborhood along_a_ring(std::vector<int> const& distances) {
  std::vector<std::vector<int>> offsets;
  for (int const distance : distances) offsets.push_back({distance});
  return Neighborhood(1, offsets);
}

Layout layout(std::size_t blocks, Bytes block) {
  Layout result;
  result.block = block;
  result[Buffer::send].slots = static_cast<std::uint32_t>(blocks);
  result[Buffer::receive].slots = static_cast<std::uint32_t>(blocks);
  return result;
}

enum class Rounds { one, one_each };

Case shift(int ranks, std::vector<int> const& distances, Bytes block, Rounds rounds) {
  Torus const torus({ranks});
  Schedule schedule;
  schedule.ranks = ranks;
  schedule.torus = torus;
  ProgramBuilder builder(layout(distances.size(), block));
  for (std::uint32_t i = 0; i < distances.size(); ++i) {
    if (i == 0 || rounds == Rounds::one_each) builder.begin_round();
    schedule.offsets.insert(schedule.offsets.end(), {distances[i], -distances[i]});
    Place const from[] = {send_slot(i)};
    Place const into[] = {receive_slot(i)};
    builder.send(static_cast<int>(2 * i), from);
    builder.receive(static_cast<int>(2 * i + 1), into);
  }
  schedule.programs.push_back(std::move(builder).finish());
  schedule.promises.ports = rounds == Rounds::one ? 0 : 1;
  return {std::move(schedule), IsomorphicAlltoall{torus, along_a_ring(distances)}};
}

}  // namespace

Case ring_shift(int ranks, std::vector<int> const& distances, Bytes block) {
  return shift(ranks, distances, block, Rounds::one_each);
}

Case posted_ring_shift(int ranks, std::vector<int> const& distances, Bytes block) {
  return shift(ranks, distances, block, Rounds::one);
}

Platform machine(int hosts) {
  Platform result;
  result.topology = FullyConnected{hosts};
  result.latency = 1_us;
  result.bandwidth = 1_GBps;
  return result;
}

Timing simulate(Case const& what, Platform const& platform, Payload payload) {
  Outcome const outcome = simulate_smpi(what.schedule, what.collective, platform, {payload, Seconds(0)});
  EXPECT_TRUE(outcome.timing) << to_string(outcome.failure) << ": " << outcome.error;
  return outcome.timing.value_or(Timing{});
}

Outcome simulate_failure(Case const& what, Platform const& platform, EngineOptions const& options) {
  Outcome const outcome = simulate_smpi(what.schedule, what.collective, platform, options);
  EXPECT_FALSE(outcome.timing);
  EXPECT_FALSE(outcome.error.empty());
  EXPECT_EQ(outcome.error.find('\n'), std::string::npos);
  return outcome;
}

}  // namespace rondo::testing
