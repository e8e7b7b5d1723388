// Each round multiplies the ranks that hold a block by at most ports + 1. The bounds of two quantities count how many
// ranks can be reached by routes of i messages in a given number of rounds. Short routes cost least, so they are used
// up first.

#include "theory/spreading.hpp"

#include <algorithm>
#include <functional>

#include "base/error.hpp"

namespace rondo::theory {
namespace {

/// base^exponent, or `limit` if that is less.
std::int64_t power(std::int64_t base, std::int64_t exponent, std::int64_t limit) {
  std::int64_t result = 1;
  for (; base > 1 && exponent > 0 && result < limit; --exponent) result *= base;
  return std::min(result, limit);
}

/// Whether f(t,j) is at least the number of targets at distance j or more, for every j. `farthest_first` has the
/// distances.
bool reaches(std::vector<std::int64_t> const& farthest_first, std::int64_t t, int ports) {
  auto const all = std::ssize(farthest_first);
  std::int64_t holders = 0;   // f(t,j), enough for all j if it is `all`
  std::int64_t binomial = 1;  // C(t,j), below `all` as long as the loop goes on
  std::size_t targets = 0;    // at distance j or more
  for (std::int64_t j = t; j >= 1 && holders < all; --j) {
    holders += binomial * power(ports, j, all);
    while (targets < farthest_first.size() && farthest_first[targets] >= j) ++targets;
    if (holders < static_cast<std::int64_t>(targets)) return false;
    binomial = binomial * j / (t - j + 1);
  }
  return holders >= all;
}

}  // namespace

/// On any links.
std::int64_t rounds_to_reach(std::int64_t targets, int ports) {
  expects(ports >= 1, "at least one port");
  std::int64_t rounds = 0;
  for (std::int64_t reached = 1; reached < targets + 1; reached *= ports + std::int64_t{1}) ++rounds;
  return rounds;
}

/// With distances: a rank cannot be reached earlier than its distance, and the number of ranks that are reached is
/// limited in each round.
std::int64_t rounds_to_reach(std::vector<std::int64_t> distances, int ports) {
  if (distances.empty()) return 0;
  std::sort(distances.begin(), distances.end(), std::greater<>());
  std::int64_t rounds = std::max(distances.front(), rounds_to_reach(std::ssize(distances), ports));
  while (!reaches(distances, rounds, ports)) ++rounds;
  return rounds;
}

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
