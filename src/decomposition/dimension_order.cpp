// Finds orders of dimensions for which the prefix trie of the neighborhood is small.

#include "decomposition/dimension_order.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "base/error.hpp"
#include "decomposition/shortest_wrap.hpp"

namespace rondo {
namespace {

/// The number of blocks that a level of the trie sends. It depends on the set of dimensions before the level, not on
/// their order. So 2^d * d levels represent the d! * d levels of all orders.
class Levels {
 public:
  Levels(Torus const& torus, Neighborhood const& neighborhood, Hops hops)
      : torus_(torus), neighborhood_(neighborhood), hops_(hops) {}

  /// `before`: a bit for each dimension that the trie has already used.
  std::int64_t blocks(unsigned before, int dimension) const {
    std::map<std::vector<int>, std::set<int>> children;
    for (int i = 0; i < neighborhood_.size(); ++i) {
      std::vector<int> prefix;
      for (int k = 0; k < torus_.dimensions(); ++k) {
        if ((before >> k) & 1U) prefix.push_back(neighborhood_[i][static_cast<std::size_t>(k)]);
      }
      children[prefix].insert(neighborhood_[i][static_cast<std::size_t>(dimension)]);
    }
    std::int64_t sent = 0;
    for (auto const& [prefix, coordinates] : children) sent += blocks_of_node(coordinates, torus_.extent(dimension));
    return sent;
  }

 private:
  std::int64_t blocks_of_node(std::set<int> const& coordinates, int extent) const {
    if (hops_ == Hops::unit) return std::max(0, *coordinates.rbegin()) + std::max(0, -*coordinates.begin());
    return std::count_if(coordinates.begin(), coordinates.end(), [&](int c) { return c % extent != 0; });
  }

  Torus const& torus_;
  Neighborhood const& neighborhood_;
  Hops hops_;
};

/// Stable: dimensions with equal keys keep the given order.
std::vector<int> sorted_by(std::vector<std::int64_t> const& keys) {
  std::vector<int> order = given_dimension_order(static_cast<int>(keys.size()));
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return keys[static_cast<std::size_t>(a)] < keys[static_cast<std::size_t>(b)]; });
  return order;
}

/// A heuristic: dimensions in which most offsets move come first.
std::vector<int> fewest_zeros_first(Neighborhood const& neighborhood) {
  std::vector<std::int64_t> zeros(static_cast<std::size_t>(neighborhood.dimensions()), 0);
  for (int i = 0; i < neighborhood.size(); ++i) {
    for (std::size_t j = 0; j < zeros.size(); ++j) zeros[j] += neighborhood[i][j] == 0 ? 1 : 0;
  }
  return sorted_by(zeros);
}

}  // namespace

std::vector<int> given_dimension_order(int dimensions) {
  std::vector<int> order(static_cast<std::size_t>(dimensions));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

/// Dynamic programming over the sets of dimensions that have been used.
std::vector<int> best_dimension_order(Torus const& torus, Neighborhood const& neighborhood, Hops hops,
                                      Boundary const& boundary) {
  expects(neighborhood.dimensions() == torus.dimensions(), "a neighborhood of the torus' dimension");
  Neighborhood moving = without_idle_dimensions(torus, neighborhood);
  if (hops == Hops::direct) moving = alike_modulo_extents(torus, moving, boundary);
  int const d = torus.dimensions();
  if (d > exact_order_dimensions) return fewest_zeros_first(moving);
  Levels const levels(torus, moving, hops);
  unsigned const all = (1U << d) - 1;
  struct RemainingLevels {
    std::int64_t blocks = 0;  ///< least blocks of the levels that are left
    int first = -1;           ///< the lowest dimension that attains it
  };
  std::vector<RemainingLevels> rest(all + 1);
  for (unsigned before = all; before-- > 0;) {
    for (int j = 0; j < d; ++j) {
      if ((before >> j) & 1U) continue;
      std::int64_t const blocks = levels.blocks(before, j) + rest[before | (1U << j)].blocks;
      if (rest[before].first < 0 || blocks < rest[before].blocks) rest[before] = {blocks, j};
    }
  }
  std::vector<int> order;
  for (unsigned before = 0; before != all; before |= 1U << order.back()) order.push_back(rest[before].first);
  return order;
}

/// The heuristic of [Traeff16]: dimensions come first in which most offsets agree.
std::vector<int> paper_dimension_order(Neighborhood const& neighborhood) {
  std::vector<std::int64_t> keys;
  for (std::size_t j = 0; j < static_cast<std::size_t>(neighborhood.dimensions()); ++j) {
    std::map<int, std::int64_t> count;
    std::int64_t most = 0;
    for (int i = 0; i < neighborhood.size(); ++i) most = std::max(most, ++count[neighborhood[i][j]]);
    keys.push_back(-most);
  }
  return sorted_by(keys);
}

}  // namespace rondo
