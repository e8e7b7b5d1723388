// Counts how many ranks can be reached by routes of i messages in a given number of rounds. Short routes cost least, so
// they are used up first.

#include "theory/joint_bounds.hpp"

#include <algorithm>

namespace rondo::theory {

/// There are binomial(rounds, i) * ports^i routes of i messages. Unset if not all ranks can be reached.
std::optional<std::int64_t> alltoall_blocks_in_rounds(std::int64_t ranks, int ports, std::int64_t rounds) {
  std::int64_t left = ranks - 1;
  std::int64_t blocks = 0;
  double routes = 1;  // by i messages; never exact beyond 2^53, where all ranks are reached
  for (std::int64_t i = 1; i <= rounds && left > 0; ++i) {
    routes *= static_cast<double>(rounds - i + 1) * ports / static_cast<double>(i);
    auto const reached = static_cast<std::int64_t>(std::min(routes + 0.5, static_cast<double>(left)));
    blocks += i * reached;
    left -= reached;
  }
  return left > 0 ? std::nullopt : std::optional(blocks);
}

std::optional<std::int64_t> vectors_in_rounds(std::int64_t ranks, int ports, std::int64_t rounds) {
  std::int64_t reached = 1, fewest = 0;
  for (; reached < ranks; reached *= ports + 1) ++fewest;
  return reached == ranks && rounds == fewest ? std::optional(rounds * ports) : std::nullopt;
}

/// Unset if no bound is known, or if the rounds do not suffice.
std::optional<double> volume_in_rounds(problem::Classical const& problem, int ports, std::int64_t rounds) {
  if (problem.sizes.differ() || problem.sizes.block == Bytes(0) || problem.ranks == 1) return std::nullopt;
  switch (problem.collective) {
    case ClassicalCollective::alltoall:
      return alltoall_blocks_in_rounds(problem.ranks, ports, rounds);
    case ClassicalCollective::bcast:
    case ClassicalCollective::allreduce:
      return vectors_in_rounds(problem.ranks, ports, rounds);
    default:
      return std::nullopt;
  }
}

}  // namespace rondo::theory
