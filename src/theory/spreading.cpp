// Each round multiplies the ranks that hold a block by at most ports + 1.

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

}  // namespace rondo::theory
