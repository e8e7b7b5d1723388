// Chooses a direction for each offset in each closed dimension on its own: rounds first, then volume. Finds orders of
// dimensions for which the prefix trie of the neighborhood is small.

#include "decomposition/routes.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <vector>

#include "base/error.hpp"

namespace rondo {
namespace {

/// A neighborhood with each coordinate replaced: change(dimension, coordinate).
template <typename Change>
Neighborhood changed(Neighborhood const& neighborhood, Change const& change) {
  std::vector<std::vector<int>> offsets;
  offsets.reserve(static_cast<std::size_t>(neighborhood.size()));
  for (int i = 0; i < neighborhood.size(); ++i) {
    std::vector<int> offset(neighborhood[i].begin(), neighborhood[i].end());
    for (std::size_t j = 0; j < offset.size(); ++j) offset[j] = change(j, offset[j]);
    offsets.push_back(std::move(offset));
  }
  return {neighborhood.dimensions(), offsets};
}

int residue(int coordinate, int extent) { return (coordinate % extent + extent) % extent; }

/// The best choice for one ring: which residues go forward, and which backward. If the farthest block that goes forward
/// takes `forward` hops, the next larger residue must go backward, so `forward` determines the choice.
class Ring {
 public:
  explicit Ring(int extent) : extent_(extent) {}

  void need(int coordinate) {
    if (int const r = residue(coordinate, extent_); r != 0) ++wanted_[r];
  }

  /// Decides how far blocks go in each direction. Called when all coordinates are known.
  void choose() {
    auto best = std::tuple(std::int64_t{2} * extent_, std::int64_t{0}, 0);
    consider(0, best);
    for (auto const& [r, count] : wanted_) consider(r, best);
    forward_ = -std::get<2>(best);
    backward_ = backward_for(forward_);
  }

  int operator()(int coordinate) const {
    int const r = residue(coordinate, extent_);
    return r == 0 ? 0 : goes_forward(r, forward_, backward_) ? r : r - extent_;
  }

 private:
  int backward_for(int forward) const {
    auto const next = wanted_.upper_bound(forward);
    return next == wanted_.end() ? 0 : extent_ - next->first;
  }
  bool goes_forward(int r, int forward, int backward) const {
    if (r > forward) return false;
    return r <= extent_ - r || extent_ - r > backward;
  }
  /// Compares a choice of the farthest coordinates forward and backward with the best one so far.
  void consider(int forward, std::tuple<std::int64_t, std::int64_t, int>& best) const {
    int const backward = backward_for(forward);
    std::int64_t volume = 0;
    for (auto const& [r, count] : wanted_) volume += count * (goes_forward(r, forward, backward) ? r : extent_ - r);
    best = std::min(best, {std::int64_t{forward} + backward, volume, -forward});
  }

  int extent_;
  std::map<int, std::int64_t> wanted_;  ///< the residues other than 0, and the number of blocks for each
  int forward_ = 0;
  int backward_ = 0;
};

}  // namespace

Neighborhood without_idle_dimensions(Torus const& torus, Neighborhood const& neighborhood) {
  expects(neighborhood.dimensions() == torus.dimensions(), "a neighborhood of the torus' dimension");
  return changed(neighborhood, [&](std::size_t j, int c) { return torus.extents()[j] == 1 ? 0 : c; });
}

/// Offsets in open dimensions stay as they are.
Neighborhood shortest_wrap(Torus const& torus, Neighborhood const& neighborhood, Boundary const& boundary) {
  expects(neighborhood.dimensions() == torus.dimensions(), "a neighborhood of the torus' dimension");
  std::vector<Ring> rings;
  for (std::size_t j = 0; j < torus.extents().size(); ++j) {
    rings.emplace_back(torus.extents()[j]);
    for (int i = 0; i < neighborhood.size(); ++i) rings[j].need(neighborhood[i][j]);
    rings[j].choose();
  }
  return changed(neighborhood, [&](std::size_t j, int c) { return boundary.closes(j) ? rings[j](c) : c; });
}

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
