// The sizes of the messages of a sparse exchange.

#include "problem/programs.hpp"

#include "base/random.hpp"

namespace rondo::problem {

/// A size for each edge, drawn between the smallest and the largest block.
std::vector<int> message_sizes(SparseExchange const& problem) {
  std::vector<int> sizes;
  Random random(problem.seed);
  std::int64_t const most = problem.largest_block.value_or(problem.block).value;
  for (std::int64_t edge = 0; edge < graph_of(problem.pattern).edges(); ++edge) {
    sizes.push_back(static_cast<int>(random.between(problem.block.value, most)));
  }
  return sizes;
}

}  // namespace rondo::problem
