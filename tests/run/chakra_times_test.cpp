// Chakra execution traces on both engines, against what theory says of them; alpha is 1 us, the bandwidth 1 GB/s.

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>

#include "engine/engine.hpp"
#include "foreign/chakra.hpp"
#include "foreign/chakra_traces.hpp"

namespace rondo::test::chakra {
namespace {

constexpr double alpha = 1e-6, beta = 1e-9;

TaskGraph read_traces(std::vector<std::string> const& traces) {
  TaskGraph graph;
  rondo::chakra::Collectives collectives;
  for (std::size_t rank = 0; rank < traces.size(); ++rank) {
    rondo::chakra::add_rank(graph, traces[rank], fmt::format("x.{}.et", rank), static_cast<int>(traces.size()),
                            collectives);
  }
  return graph;
}

void expect_time_on_both_engines(TaskGraph const& graph, double seconds) {
  Platform machine;
  machine.topology = FullyConnected{graph.ranks()};
  machine.latency = Seconds(alpha);
  machine.bandwidth = BytesPerSecond(1 / beta);
  for (Outcome<Timing> const& outcome : {simulate_native(graph, machine, {}), simulate_smpi(graph, machine, {})}) {
    ASSERT_TRUE(outcome.result) << outcome.error;
    EXPECT_NEAR(outcome.result->makespan.value, seconds, 1e-9 * seconds);
  }
}

/// p - 1 rounds, in each of which a rank sends on what it received in the round before.
TEST(ChakraTimes, a_ring_allgather_takes_a_message_a_round) {
  for (int const p : {2, 3, 8}) {
    for (std::int64_t const m : {0, 4096, 1 << 20}) {
      std::vector<std::string> traces;
      for (int rank = 0; rank < p; ++rank) {
        std::string trace = head();
        for (std::uint64_t round = 1; round < static_cast<std::uint64_t>(p); ++round) {
          Ids const before = round == 1 ? Ids{} : Ids{2 * round - 2, 2 * round - 1};
          trace += send_to(2 * round, (rank + 1) % p, m, before) +
                   receive_from(2 * round + 1, (rank + p - 1) % p, m, before);
        }
        traces.push_back(trace);
      }
      expect_time_on_both_engines(read_traces(traces), (p - 1) * (alpha + beta * static_cast<double>(m)));
    }
  }
}

/// k segments go from rank to rank, and each rank computes for a time c before it sends one on. The first takes p times
/// c and p - 1 messages of time t; each further one comes after the slower of the two, as in any pipeline of equal
/// jobs.
TEST(ChakraTimes, a_pipeline_computes_while_it_sends) {
  constexpr int p = 5;
  constexpr std::uint64_t k = 7;
  constexpr std::int64_t m = 20'000;
  constexpr double t = alpha + beta * m;
  for (std::uint64_t const c : {3u, 50u}) {  // t is 21 us
    std::vector<std::string> traces;
    for (int rank = 0; rank < p; ++rank) {
      std::string trace = head();
      for (std::uint64_t s = 0; s < k; ++s) {
        std::uint64_t const id = 10 * s;  // + 1: receives, + 2: computes, + 3: sends
        auto const before = [&](std::uint64_t which) { return s == 0 ? Ids{} : Ids{id - 10 + which}; };
        if (rank > 0) trace += receive_from(id + 1, rank - 1, m, before(1));
        trace += compute(id + 2, c, rank > 0 ? Ids{id + 1} : Ids{});
        Ids sends_behind = before(3);
        sends_behind.push_back(id + 2);
        if (rank + 1 < p) trace += send_to(id + 3, rank + 1, m, sends_behind);
      }
      traces.push_back(trace);
    }
    double const seconds = 1e-6 * static_cast<double>(c);
    expect_time_on_both_engines(read_traces(traces), p * seconds + (p - 1) * t + (k - 1) * std::max(seconds, t));
  }
}

/// A calculation on the accelerator, one on the CPU and one in memory do not wait for each other, but two of a kind do.
TEST(ChakraTimes, each_processor_does_one_calculation_at_a_time) {
  constexpr Type memory_load = static_cast<Type>(2);
  std::string const trace = head() + compute(1, 10) + compute(2, 10) + message(fields(3, computation, number(7, 15))) +
                            message(fields(4, memory_load, number(7, 18))) +
                            message(fields(5, metadata, number(7, 99)));
  expect_time_on_both_engines(read_traces({trace}), 20e-6);
}

}  // namespace
}  // namespace rondo::test::chakra
