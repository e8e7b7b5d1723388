// Draws graphs from a seed. The pairs of near points of a geometric graph are found by cells: only points of
// neighboring cells can be near.

#include "topology/graph_generators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "base/random.hpp"
#include "topology/process_graph.hpp"

namespace rondo {
namespace {

using Place = std::array<double, 3>;

double squared_distance(Place const& a, Place const& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

/// Sorts points into cubic cells that are no smaller than the radius, so that neighbors lie in adjacent cells.
class Cells {
 public:
  /// Cells are not smaller than the radius.
  Cells(std::vector<Place> const& places, double radius) : places_(places) {
    // More cells than points would be useless.
    double const most = std::max(std::floor(std::cbrt(static_cast<double>(places.size()))), 1.0);
    each_ = static_cast<int>(radius * most > 1 ? std::max(std::floor(1 / radius), 1.0) : most);
    held_.resize(static_cast<std::size_t>(each_) * static_cast<std::size_t>(each_) * static_cast<std::size_t>(each_));
    for (std::size_t i = 0; i < places.size(); ++i) {
      auto const [x, y, z] = cell_of(places[i]);
      held_[index(x, y, z)].push_back(static_cast<int>(i));
    }
  }

  /// All points except `self` within the radius, in ascending order.
  std::vector<int> within(double radius, int self) const {
    std::vector<int> found;
    Place const& here = places_[static_cast<std::size_t>(self)];
    auto const [x, y, z] = cell_of(here);
    for (int i = std::max(x - 1, 0); i <= std::min(x + 1, each_ - 1); ++i) {
      for (int j = std::max(y - 1, 0); j <= std::min(y + 1, each_ - 1); ++j) {
        for (int k = std::max(z - 1, 0); k <= std::min(z + 1, each_ - 1); ++k) {
          for (int const other : held_[index(i, j, k)]) {
            bool const near = squared_distance(here, places_[static_cast<std::size_t>(other)]) <= radius * radius;
            if (near && other != self) found.push_back(other);
          }
        }
      }
    }
    std::sort(found.begin(), found.end());
    return found;
  }

 private:
  std::array<int, 3> cell_of(Place const& place) const {
    auto const along = [&](double x) { return std::min(static_cast<int>(x * each_), each_ - 1); };
    return {along(place[0]), along(place[1]), along(place[2])};
  }
  std::size_t index(int x, int y, int z) const { return static_cast<std::size_t>((x * each_ + y) * each_ + z); }

  std::vector<Place> const& places_;
  int each_;  ///< number of cells along each dimension
  std::vector<std::vector<int>> held_;
};

}  // namespace

/// Throws InputError if the expected number of edges is too large.
void expect_geometric_graph(int ranks, double degree) {
  if (!(degree >= 0)) throw InputError(fmt::format("expected a degree of at least 0, got {}", degree));
  double const expected = ranks * std::min(degree, std::max(ranks - 1.0, 0.0));
  if (expected <= static_cast<double>(ProcessGraph::most_edges)) return;
  throw InputError(fmt::format("a process graph has at most {} edges; {} ranks of degree {} have {:.0f}",
                               ProcessGraph::most_edges, ranks, degree, expected));
}

/// Points in a unit cube. Two ranks are neighbors within the radius whose ball holds `degree` other points on average;
/// ranks near a face have fewer.
ProcessGraph geometric(int ranks, double degree, std::uint64_t seed) {
  expect_geometric_graph(ranks, degree);
  Random random(seed);
  std::vector<Place> places;
  for (int rank = 0; rank < ranks; ++rank) {
    Place& place = places.emplace_back();
    for (double& coordinate : place) coordinate = random.unit();
  }
  std::vector<Edge> edges;
  if (ranks < 2) return {ranks, edges};
  double const radius = std::cbrt(degree / (ranks - 1) * 3 / (4 * std::numbers::pi));
  Cells const cells(places, radius);
  for (int rank = 0; rank < ranks; ++rank) {
    for (int const other : cells.within(radius, rank)) edges.push_back({Rank(rank), Rank(other)});
    if (std::ssize(edges) > ProcessGraph::most_edges) break;
  }
  return {ranks, edges};
}

/// Adds the opposite of each edge, and removes self loops and repetitions.
ProcessGraph symmetric(ProcessGraph const& graph) {
  std::vector<Edge> edges;
  for (int rank = 0; rank < graph.ranks(); ++rank) {
    for (Neighbor const& target : graph.targets(Rank(rank))) {
      if (target.rank == Rank(rank)) continue;
      edges.push_back({Rank(rank), target.rank});
      edges.push_back({target.rank, Rank(rank)});
    }
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return {graph.ranks(), edges};
}

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
