// The smallest tree by dynamic programming over subsets of targets if that is feasible, a simpler bound otherwise.

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "theory/bounds.hpp"

namespace rondo::theory {
namespace {

/// The distinct neighbors of rank 0, without itself.
std::vector<Rank> targets_of(Torus const& torus, Neighborhood const& neighborhood) {
  std::set<Rank> targets;
  for (int i = 0; i < neighborhood.size(); ++i) targets.insert(torus.add(Rank(0), neighborhood[i]));
  targets.erase(Rank(0));
  return {targets.begin(), targets.end()};
}

/// The algorithm of Dreyfus and Wagner: for every rank and every set of targets, the smallest tree that connects them.
class SteinerTree {
 public:
  SteinerTree(Torus const& torus, std::vector<Rank> const& targets)
      : torus_(torus),
        ranks_(static_cast<std::size_t>(torus.size())),
        links_((std::size_t{1} << targets.size()) * ranks_, unreached) {
    for (int r = 0; r < torus.size(); ++r) neighbors_.push_back(neighbors_of(Rank(r)));
    for (std::size_t set = 1; set < std::size_t{1} << targets.size(); ++set) {
      for (std::size_t t = 0; t < targets.size(); ++t) {
        if (set == std::size_t{1} << t) at(set, static_cast<std::size_t>(targets[t].value)) = 0;
      }
      join_parts(set);
      spread(set);
    }
  }

  std::int64_t links() const { return links_[links_.size() - ranks_]; }

 private:
  static constexpr int unreached = std::numeric_limits<int>::max() / 2;
  int& at(std::size_t set, std::size_t rank) { return links_[set * ranks_ + rank]; }

  /// The ranks next to a rank, in both directions of each dimension.
  std::vector<std::size_t> neighbors_of(Rank rank) const {
    std::vector<std::size_t> result;
    for (int j = 0; j < torus_.dimensions(); ++j) {
      for (int const sign : {+1, -1}) result.push_back(static_cast<std::size_t>(torus_.shift(rank, j, sign).value));
    }
    return result;
  }

  void join_parts(std::size_t set) {
    for (std::size_t part = (set - 1) & set; part > 0; part = (part - 1) & set) {
      for (std::size_t r = 0; r < ranks_; ++r) at(set, r) = std::min(at(set, r), at(part, r) + at(set ^ part, r));
    }
  }

  /// Extends the trees of a set to neighboring ranks, from the smallest trees on. All links cost the same, so a bucket
  /// for each size replaces a priority queue.
  void spread(std::size_t set) {
    std::vector<std::vector<std::size_t>> buckets(1);
    auto const enter = [&](std::size_t r) {
      auto const size = static_cast<std::size_t>(at(set, r));
      if (size >= buckets.size()) buckets.resize(size + 1);
      buckets[size].push_back(r);
    };
    for (std::size_t r = 0; r < ranks_; ++r) {
      if (at(set, r) < unreached) enter(r);
    }
    for (std::size_t size = 0; size < buckets.size(); ++size) {
      for (std::size_t k = 0; k < buckets[size].size(); ++k) {
        std::size_t const from = buckets[size][k];
        if (at(set, from) != static_cast<int>(size)) continue;
        for (std::size_t const to : neighbors_[from]) {
          if (at(set, to) <= at(set, from) + 1) continue;
          at(set, to) = at(set, from) + 1;
          enter(to);
        }
      }
    }
  }

  Torus const& torus_;
  std::size_t ranks_;
  std::vector<int> links_;  ///< by set of targets, by rank
  std::vector<std::vector<std::size_t>> neighbors_;
};

/// The links that cover, on each ring, the coordinates of rank 0 and the targets: all but the longest gap.
std::int64_t covering_links(Torus const& torus, std::vector<Rank> const& targets) {
  std::int64_t links = 0;
  for (std::size_t j = 0; j < torus.extents().size(); ++j) {
    std::set<int> coordinates{0};
    for (Rank const target : targets) coordinates.insert(torus.coordinates(target)[j]);
    int gap = torus.extents()[j] - *coordinates.rbegin();
    for (auto c = std::next(coordinates.begin()); c != coordinates.end(); ++c) gap = std::max(gap, *c - *std::prev(c));
    links += torus.extents()[j] - gap;
  }
  return links;
}

/// The length of a minimum spanning tree of the distances between rank 0 and the targets (Prim).
std::int64_t spanning_tree(Torus const& torus, std::vector<Rank> const& targets) {
  std::vector<int> to_tree;
  for (Rank const target : targets) to_tree.push_back(torus.distance(Rank(0), target));
  std::vector<bool> joined(targets.size(), false);
  std::int64_t total = 0;
  for (std::size_t step = 0; step < targets.size(); ++step) {
    std::size_t next = targets.size();
    for (std::size_t t = 0; t < targets.size(); ++t) {
      if (!joined[t] && (next == targets.size() || to_tree[t] < to_tree[next])) next = t;
    }
    joined[next] = true;
    total += to_tree[next];
    for (std::size_t t = 0; t < targets.size(); ++t) {
      to_tree[t] = std::min(to_tree[t], torus.distance(targets[next], targets[t]));
    }
  }
  return total;
}

}  // namespace

/// The links of a smallest tree that joins the rank with all its targets.
SteinerBound steiner_bound(Torus const& torus, Neighborhood const& neighborhood) {
  std::vector<Rank> const targets = targets_of(torus, neighborhood);
  if (targets.empty()) return {0, true};
  auto const t = static_cast<std::int64_t>(targets.size());
  double const steps = std::pow(3.0, static_cast<double>(t)) * torus.size();
  if (torus.size() <= most_steiner_ranks && steps <= most_steiner_steps) {
    return {SteinerTree(torus, targets).links(), true};
  }
  int farthest = 0;
  for (Rank const target : targets) farthest = std::max(farthest, torus.distance(Rank(0), target));
  std::int64_t const simple = std::max({t, std::int64_t{farthest}, covering_links(torus, targets)});
  if (t > most_spanning_targets) return {simple, false};
  // For t + 1 terminals: spanning tree <= 2 (1 - 1/(t+1)) Steiner tree.
  return {std::max(simple, (spanning_tree(torus, targets) * (t + 1) + 2 * t - 1) / (2 * t)), false};
}

}  // namespace rondo::theory
