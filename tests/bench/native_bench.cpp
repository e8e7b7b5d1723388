// Speed of the native engine, schedule in memory to makespan, on one core. Items are messages.

#include <benchmark/benchmark.h>

#include <numeric>
#include <vector>

#include "base/random.hpp"
#include "engine/engine.hpp"
#include "engine/native_queue.hpp"
#include "event_queues.hpp"
#include "generate/generate.hpp"

namespace rondo {
namespace {

Platform machine(int hosts) {
  Platform platform;
  platform.topology = FullyConnected{hosts};
  platform.latency = 1_us;
  platform.bandwidth = 1_GBps;
  return platform;
}

Layout layout(std::uint32_t slots) {
  Layout result;
  result.block = 64_B;
  result[Buffer::send].slots = result[Buffer::receive].slots = slots;
  return result;
}

/// In each round every rank sends to a random partner and receives from another: lists for each rank of its own.
Schedule random_permutations(int ranks, int rounds) {
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
Schedule neighbor_exchange(int ranks, double density, int sizes) {
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

void time_schedule(benchmark::State& state, Schedule const& schedule, Platform const& platform) {
  std::int64_t messages = 0;
  for (auto _ : state) {
    Outcome const outcome = simulate_native(schedule, platform, {});
    benchmark::DoNotOptimize(outcome.timing->makespan);
    messages += outcome.timing->messages;
  }
  state.SetItemsProcessed(messages);
}

void one_ported_rounds(benchmark::State& state) {
  auto const ranks = static_cast<int>(state.range(0));
  time_schedule(state, random_permutations(ranks, 342), machine(ranks));
}
BENCHMARK(one_ported_rounds)->Arg(1024)->Arg(8192)->Unit(benchmark::kMillisecond);

void event_queue(benchmark::State& state) {
  Platform platform = machine(1024);
  platform.ports = static_cast<int>(state.range(1));
  time_schedule(state, neighbor_exchange(1024, 0.2, static_cast<int>(state.range(0))), platform);
}
BENCHMARK(event_queue)
    ->ArgNames({"sizes", "ports"})
    ->Args({1, 1})
    ->Args({7, 1})
    ->Args({1, 4})
    ->Args({7, 4})
    ->Unit(benchmark::kMillisecond);

void representative(benchmark::State& state) {
  auto const extent = static_cast<int>(state.range(0));
  Torus const torus({extent, extent, extent});
  Schedule const schedule = generate::isomorphic_alltoall_torus(torus, moore(3, 3), 64_B, {0, 1, 2});
  time_schedule(state, schedule, machine(torus.size()));
}
BENCHMARK(representative)->Arg(16)->Arg(256)->Unit(benchmark::kMicrosecond);

/// As many events as ranks with one port have messages under way; each is followed by another, 1 to 2 us later, in
/// `sizes` different distances. Items are events.
template <typename Queue>
void hold(benchmark::State& state, Queue queue) {
  Random random(3);
  auto const distance = [&] {
    auto const sizes = static_cast<std::uint64_t>(state.range(1));
    return static_cast<std::int64_t>(1'000'000'000 + random.below(sizes) * (1'000'000'000 / sizes));
  };
  for (std::uint32_t i = 0; i < state.range(0); ++i) queue.push(distance(), i);
  std::vector<std::uint32_t> taken;
  std::int64_t events = 0;
  for (auto _ : state) {
    taken.clear();
    std::int64_t const now = queue.take(taken);
    for (std::uint32_t const each : taken) queue.push(now + distance(), each);
    events += static_cast<std::int64_t>(taken.size());
  }
  state.SetItemsProcessed(events);
}

/// Few distances: many events of one time. Many distances: hardly two.
void cases(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"events", "sizes"});
  for (int const events : {64, 1024, 16384}) {
    for (int const sizes : {1, 7, 1'000'000}) benchmark->Args({events, sizes});
  }
}
BENCHMARK_CAPTURE(hold, radix_heap, native::RadixHeap<std::uint32_t>())->Apply(cases);
BENCHMARK_CAPTURE(hold, four_ary_heap, bench::FourAryHeap<std::uint32_t>())->Apply(cases);
BENCHMARK_CAPTURE(hold, calendar, bench::Calendar<std::uint32_t>(4096, 1'000'000))->Apply(cases);

}  // namespace
}  // namespace rondo

BENCHMARK_MAIN();
