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

Program shift_program(std::vector<int> const& distances, Layout layout, Rounds rounds, Flaw flaw) {
  auto const last = static_cast<std::uint32_t>(distances.size()) - 1;
  if (flaw == Flaw::cut) {
    layout[Buffer::receive].sizes.assign(distances.size(), layout.block);
    layout[Buffer::receive].sizes.back() = Bytes(layout.block.value / 2);
  }
  ProgramBuilder builder(std::move(layout));
  for (std::uint32_t i = 0; i < distances.size(); ++i) {
    if (i == 0 || rounds == Rounds::one_each) builder.begin_round();
    Place const from[] = {send_slot(i)};
    Place const into[] = {receive_slot(flaw == Flaw::swapped && i < 2 ? 1 - i : i)};
    if (flaw != Flaw::unsent || i != last) builder.send(static_cast<int>(2 * i), from);
    builder.receive(static_cast<int>(2 * i + 1), into);
  }
  return std::move(builder).finish();
}

Schedule on_a_ring(int ranks, std::vector<int> const& distances, Program program) {
  Schedule schedule;
  schedule.ranks = ranks;
  schedule.torus = Torus({ranks});
  for (int const distance : distances) schedule.offsets.insert(schedule.offsets.end(), {distance, -distance});
  schedule.programs.push_back(std::move(program));
  return schedule;
}

Case shift(int ranks, std::vector<int> const& distances, Bytes block, Rounds rounds, Flaw flaw) {
  Program program = shift_program(distances, layout(distances.size(), block), rounds, flaw);
  return {on_a_ring(ranks, distances, std::move(program)), IsomorphicAlltoall{Torus({ranks}), along_a_ring(distances)}};
}

}  // namespace

Case ring_shift(int ranks, std::vector<int> const& distances, Bytes block, Flaw flaw) {
  return shift(ranks, distances, block, Rounds::one_each, flaw);
}

Case posted_ring_shift(int ranks, std::vector<int> const& distances, Bytes block) {
  return shift(ranks, distances, block, Rounds::one, Flaw::none);
}

Case combined_ring(int ranks, Bytes block, std::vector<Bytes> const& sizes) {
  Layout both = layout(2, block);
  both[Buffer::intermediate].slots = 1;
  both[Buffer::send].sizes = both[Buffer::receive].sizes = sizes;
  if (!sizes.empty()) both[Buffer::intermediate].sizes = {sizes[1]};
  ProgramBuilder builder(both);
  Place const own[] = {send_slot(0), send_slot(1)};
  Place const first[] = {receive_slot(0), intermediate_slot(0)};
  Place const waiting[] = {intermediate_slot(0)};
  Place const second[] = {receive_slot(1)};
  builder.begin_round();
  builder.send(0, own);
  builder.receive(1, first);
  builder.begin_round();
  builder.send(0, waiting);
  builder.receive(1, second);
  return {on_a_ring(ranks, {1}, std::move(builder).finish()), IsomorphicAlltoall{Torus({ranks}), along_a_ring({1, 2})}};
}

Case self_copy(int ranks, Bytes block) {
  ProgramBuilder builder(layout(1, block));
  builder.copy(send_slot(0), receive_slot(0));
  return {on_a_ring(ranks, {0}, std::move(builder).finish()), IsomorphicAlltoall{Torus({ranks}), along_a_ring({0})}};
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
  EXPECT_TRUE(outcome.result) << to_string(outcome.failure) << ": " << outcome.error;
  return outcome.result.value_or(Timing{});
}

Outcome<Timing> simulate_failure(Case const& what, Platform const& platform, EngineOptions const& options) {
  Outcome const outcome = simulate_smpi(what.schedule, what.collective, platform, options);
  EXPECT_FALSE(outcome.result);
  EXPECT_FALSE(outcome.error.empty());
  EXPECT_EQ(outcome.error.find('\n'), std::string::npos);
  return outcome;
}

}  // namespace rondo::testing
