#include "generate/arborescence.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "base/ids.hpp"
#include "base/random.hpp"

namespace rondo::generate {
namespace {

constexpr double none = std::numeric_limits<double>::infinity();

/// The least cost over all choices of a parent for each vertex that lead to the root.
double least_cost(int n, int root, std::vector<double> const& costs, std::vector<int>& parents, int v) {
  if (v == n) {
    double sum = 0;
    for (int each = 0; each < n; ++each) {
      int steps = 0;
      for (int up = each; up != root && steps <= n; up = parents[at(up)]) ++steps;
      if (steps > n) return none;
      if (each != root) sum += costs[at(parents[at(each)] * n + each)];
    }
    return sum;
  }
  if (v == root) return least_cost(n, root, costs, parents, v + 1);
  double least = none;
  for (int parent = 0; parent < n; ++parent) {
    if (parent == v) continue;
    parents[at(v)] = parent;
    least = std::min(least, least_cost(n, root, costs, parents, v + 1));
  }
  return least;
}

TEST(Arborescence, costs_the_least_of_all_spanning_trees) {
  Random random(17);
  for (int i = 0; i < 2000; ++i) {
    int const n = static_cast<int>(random.between(1, 6)),
              root = static_cast<int>(random.below(static_cast<std::uint64_t>(n)));
    std::vector<double> costs(at(n * n));
    for (double& each : costs) each = random.below(4) == 0 ? none : static_cast<double>(random.between(0, 9));
    std::vector<int> parents(at(n), -1);
    double const least = least_cost(n, root, costs, parents, 0);
    std::vector<int> const found = cheapest_arborescence(n, root, costs);
    ASSERT_EQ(found.empty(), least == none) << "graph " << i;
    if (found.empty()) continue;
    double sum = 0;
    for (int v = 0; v < n; ++v) {
      ASSERT_EQ(found[at(v)] < 0, v == root);
      if (v != root) sum += costs[at(found[at(v)] * n + v)];
      int steps = 0;
      for (int up = v; up != root && steps <= n; up = found[at(up)]) ++steps;
      ASSERT_LE(steps, n) << "a cycle in graph " << i;
    }
    ASSERT_DOUBLE_EQ(sum, least) << "graph " << i;
  }
}

}  // namespace
}  // namespace rondo::generate
