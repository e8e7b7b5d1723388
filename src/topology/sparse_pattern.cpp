// Draws the targets of sparse exchanges.

#include "topology/sparse_pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/random.hpp"

namespace rondo {

namespace {

/// `count` different ranks other than `rank`, ascending, by Floyd's sampling.
std::vector<int> others(int rank, int ranks, int count, Random& random) {
  std::vector<int> chosen;  // from the ranks - 1 others, numbered without a gap
  for (int last = ranks - 1 - count; last < ranks - 1; ++last) {
    int const drawn = static_cast<int>(random.between(0, last));
    auto const position = std::lower_bound(chosen.begin(), chosen.end(), drawn);
    if (position == chosen.end() || *position != drawn) {
      chosen.insert(position, drawn);
    } else {
      chosen.push_back(last);
    }
  }
  for (int& other : chosen) other += other >= rank ? 1 : 0;
  return chosen;
}

void add(std::vector<Edge>& edges, int rank, std::vector<int> const& targets) {
  for (int const target : targets) edges.push_back({Rank(rank), Rank(target)});
}

}  // namespace

/// Each rank has the same number of targets.
ProcessGraph random_targets(int ranks, int targets, std::uint64_t seed) {
  if (targets < 0 || targets >= ranks) {
    throw InputError(
        fmt::format("expected from 0 to {} targets of each of {} ranks, got {}", ranks - 1, ranks, targets));
  }
  Random random(seed);
  std::vector<Edge> edges;
  for (int rank = 0; rank < ranks; ++rank) add(edges, rank, others(rank, ranks, targets, random));
  return {ranks, edges};
}

/// Ranks whose numbers differ in one bit, as far as they exist.
ProcessGraph hypercube(int ranks) {
  std::vector<Edge> edges;
  for (int rank = 0; rank < ranks; ++rank) {
    for (std::int64_t bit = 1; bit < ranks; bit *= 2) {
      int const target = rank ^ static_cast<int>(bit);
      if (target < ranks) edges.push_back({Rank(rank), Rank(target)});
    }
  }
  return {ranks, edges};
}

/// The number t of targets has a probability proportional to t^-exponent.
ProcessGraph powerlaw(int ranks, double exponent, int most, std::uint64_t seed) {
  if (ranks == 1) return {1, {}};
  if (most < 1 || most >= ranks) {
    throw InputError(
        fmt::format("expected at most from 1 to {} targets of each of {} ranks, got {}", ranks - 1, ranks, most));
  }
  std::vector<double> up_to;  // the weights, summed
  for (int t = 1; t <= most; ++t) up_to.push_back((up_to.empty() ? 0 : up_to.back()) + std::pow(t, -exponent));
  Random random(seed);
  std::vector<Edge> edges;
  for (int rank = 0; rank < ranks; ++rank) {
    double const drawn = random.unit() * up_to.back();
    auto const below = std::upper_bound(up_to.begin(), up_to.end(), drawn) - up_to.begin();
    int const targets = std::min(static_cast<int>(below) + 1, most);
    add(edges, rank, others(rank, ranks, targets, random));
  }
  return {ranks, edges};
}

/// Removes repetitions.
ProcessGraph distinct(ProcessGraph const& graph) {
  std::vector<Edge> edges;
  for (int rank = 0; rank < graph.ranks(); ++rank) {
    for (Neighbor const& target : graph.targets(Rank(rank))) edges.push_back({Rank(rank), target.rank});
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return {graph.ranks(), edges};
}

}  // namespace rondo
