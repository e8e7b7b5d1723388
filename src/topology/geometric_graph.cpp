// Finds the pairs of near points by cells: only points of neighboring cells can be near.

#include "topology/geometric_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "base/random.hpp"
#include "topology/graph_limits.hpp"

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

}  // namespace rondo
