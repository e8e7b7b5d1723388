// Chooses a direction for each offset in each closed dimension on its own: rounds first, then volume.

#include "decomposition/shortest_wrap.hpp"

#include <algorithm>
#include <map>
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

}  // namespace rondo
