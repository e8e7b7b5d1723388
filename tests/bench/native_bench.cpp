// Speed of the native engine, schedule in memory to makespan, on one core. Items are messages.

#include <benchmark/benchmark.h>

#include <vector>

#include "base/random.hpp"
#include "engine/engine.hpp"
#include "engine/native/queue.hpp"
#include "event_queues.hpp"
#include "generate/generate.hpp"
#include "problems.hpp"
#include "workloads.hpp"

namespace rondo {
namespace {

using namespace bench;

void time_schedule(benchmark::State& state, Schedule const& schedule, Platform const& platform) {
  std::int64_t messages = 0;
  for (auto _ : state) {
    Outcome const outcome = simulate_native(schedule, platform, {});
    benchmark::DoNotOptimize(outcome.result->makespan);
    messages += outcome.result->messages;
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
  Schedule const schedule = generate::isomorphic_dimension_wise(test::alltoall(torus, moore(3, 3), 64_B, {0, 1, 2}));
  time_schedule(state, schedule, machine(torus.size()));
}
BENCHMARK(representative)->Arg(16)->Arg(256)->Unit(benchmark::kMicrosecond);

/// The native engine's queue by the ticks of the others.
class TickedRadixHeap {
 public:
  void push(bench::Ticks time, std::uint32_t value) { heap_.push(static_cast<double>(time), value); }
  bench::Ticks take(std::vector<std::uint32_t>& values) { return static_cast<bench::Ticks>(heap_.take(values).value); }

 private:
  native::RadixHeap<std::uint32_t> heap_;
};

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
BENCHMARK_CAPTURE(hold, radix_heap, TickedRadixHeap())->Apply(cases);
BENCHMARK_CAPTURE(hold, four_ary_heap, bench::FourAryHeap<std::uint32_t>())->Apply(cases);
BENCHMARK_CAPTURE(hold, calendar, bench::Calendar<std::uint32_t>(4096, 1'000'000))->Apply(cases);

}  // namespace
}  // namespace rondo

BENCHMARK_MAIN();
