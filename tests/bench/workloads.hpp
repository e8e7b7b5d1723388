#pragma once

// The schedules that benchmarks time, and their machine: 1 us and 1 GB/s.

#include <numeric>
#include <vector>

#include "base/random.hpp"
#include "platform/platform.hpp"
#include "schedule/schedule.hpp"

namespace rondo::bench {

inline Platform machine(int hosts) {
  Platform platform;
  platform.topology = FullyConnected{hosts};
  platform.latency = 1_us;
  platform.bandwidth = 1_GBps;
  return platform;
}

inline Layout layout(std::uint32_t slots) {
  Layout result;
  result.block = 64_B;
  result[Buffer::send].slots = result[Buffer::receive].slots = slots;
  return result;
}

/// In each round every rank sends to a random partner and receives from another: lists for each rank of its own.
inline Schedule random_permutations(int ranks, int rounds) {
  Random random(1);
  std::vector<ProgramBuilder> builders;
  for (int r = 0; r < ranks; ++r) builders.emplace_back(layout(1));
  Place const from[] = {send_slot(0)};
  Place const into[] = {receive_slot(0)};
  std::vector<std::size_t> order(static_cast<std::size_t>(ranks));
  std::iota(order.begin(), order.end(), 0);
  for (int round = 0; round < rounds; ++round) {
    // One random circle through all ranks.
    for (std::size_t i = order.size(); i-- > 1;) std::swap(order[i], order[random.below(i + 1)]);
    for (auto& builder : builders) builder.begin_round();
    for (std::size_t i = 0; i < order.size(); ++i) {
      std::size_t const next = order[(i + 1) % order.size()];
      builders[order[i]].send(static_cast<std::int32_t>(next), from);
      builders[next].receive(static_cast<std::int32_t>(order[i]), into);
    }
  }
  Schedule schedule;
  schedule.ranks = ranks;
  for (int r = 0; r < ranks; ++r) {
    schedule.programs.push_back(std::move(builders[static_cast<std::size_t>(r)]).finish());
    schedule.program_of.push_back(static_cast<std::uint32_t>(r));
  }
  return schedule;
}

/// Naive neighbor exchange on a random directed graph: each rank posts all its messages at once. `sizes` different
/// sizes: with one, all messages take the same time and finish together; with several, ports fall free one by one.
inline Schedule neighbor_exchange(int ranks, double density, int sizes) {
  Random random(2);
  std::vector<std::vector<std::int32_t>> out(static_cast<std::size_t>(ranks)), in(out);
  for (std::int32_t r = 0; r < ranks; ++r) {
    for (std::int32_t to = 0; to < ranks; ++to) {
      if (to == r || random.unit() >= density) continue;
      out[static_cast<std::size_t>(r)].push_back(to);
      in[static_cast<std::size_t>(to)].push_back(r);
    }
  }
  Schedule schedule;
  schedule.ranks = ranks;
  schedule.promises.ports = 0;
  for (std::int32_t r = 0; r < ranks; ++r) {
    ProgramBuilder builder(layout(1));
    builder.begin_round();
    for (std::int32_t const source : in[static_cast<std::size_t>(r)]) {
      std::vector<Place> const into(static_cast<std::size_t>((r + source) % sizes) + 1, receive_slot(0));
      builder.receive(source, into);
    }
    for (std::int32_t const target : out[static_cast<std::size_t>(r)]) {
      std::vector<Place> const from(static_cast<std::size_t>((r + target) % sizes) + 1, send_slot(0));
      builder.send(target, from);
    }
    schedule.programs.push_back(std::move(builder).finish());
    schedule.program_of.push_back(static_cast<std::uint32_t>(r));
  }
  return schedule;
}

}  // namespace rondo::bench
