#include <gtest/gtest.h>

#include <ctime>
#include <iostream>

#include "neighbor_check.hpp"
#include "problems.hpp"

namespace rondo {
namespace {

using namespace generate;

// The limits are those of an optimized build.
#if defined(NDEBUG) && !defined(__SANITIZE_ADDRESS__)
constexpr bool optimized = true;
#else
constexpr bool optimized = false;
#endif

/// Seconds of this process on a core since `start`: other programs at work do not count.
double cpu_seconds(std::clock_t start) { return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC; }

CombiningPattern timed(ProcessGraph const& graph, double limit) {
  std::clock_t const start = std::clock();
  CombiningPattern pattern = common_neighbors(graph);
  double const seconds = cpu_seconds(start);
  std::cout << "measured: pattern of " << graph.ranks() << " ranks and " << graph.edges() << " edges: " << seconds
            << " s, t = " << pattern.iterations.size() << ", messages " << pattern.messages << "\n";
  EXPECT_LE(seconds, limit);
  return pattern;
}

TEST(LongCommonNeighbors, DISABLED_finds_the_pattern_of_4096_ranks_at_density_0_2_in_20_s) {
  if (!optimized) GTEST_SKIP() << "a limit of optimized builds";
  ProcessGraph const graph = erdos_renyi(4096, 0.2, 1);
  CombiningPattern const pattern = timed(graph, 20);
  expect_valid(neighbor_common_neighbors(test::neighbor_allgather(graph, {neighbor_block}), pattern),
               NeighborAllgather{graph}, "0.2");
}

TEST(LongCommonNeighbors, DISABLED_finds_the_pattern_of_8192_ranks_on_moore_4_2_in_10_s) {
  if (!optimized) GTEST_SKIP() << "a limit of optimized builds";
  ProcessGraph const graph = moore(Torus({8, 8, 8, 16}), 2);
  CombiningPattern const pattern = timed(graph, 10);
  expect_valid(neighbor_common_neighbors(test::neighbor_allgather(graph, {neighbor_block}), pattern),
               NeighborAllgather{graph}, "moore");
}

}  // namespace
}  // namespace rondo
