// Stores graphs as arrays by source and by target, makes the graphs that have a formula, and selects the edges of a
// graph that a collective uses.

#include "topology/process_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/ids.hpp"
#include "base/random.hpp"
#include "topology/neighborhood.hpp"

namespace rondo {
namespace {

/// Throws InputError if there are too many ranks or edges, or if an end of an edge is no rank.
void check(int ranks, std::span<Edge const> edges) {
  if (ranks < 0 || ranks > Torus::most_ranks) {
    throw InputError(fmt::format("expected a number of ranks from 0 to {}, got {}", Torus::most_ranks, ranks));
  }
  if (static_cast<std::int64_t>(edges.size()) > ProcessGraph::most_edges) {
    throw InputError(
        fmt::format("a process graph has at most {} edges, got {}", ProcessGraph::most_edges, edges.size()));
  }
  for (std::size_t i = 0; i < edges.size(); ++i) {
    for (Rank const end : {edges[i].source, edges[i].target}) {
      if (end.value >= 0 && end.value < ranks) continue;
      bool const hints = end.value > 0 && std::ranges::none_of(edges, [](Edge edge) {
                           return edge.source == Rank(0) || edge.target == Rank(0);
                         });
      throw InputError(fmt::format("edge {} from {} to {}: expected ranks from 0 to {}, got {}{}{}", i,
                                   edges[i].source.value, edges[i].target.value, ranks - 1, end.value,
                                   hints ? "; " : "", hints ? no_edge_of_rank_0 : ""));
    }
  }
}

/// Where the edges of each rank begin if edges are grouped by one of their ends; there is one entry more than ranks.
std::vector<std::int64_t> first_of_each(int ranks, std::span<Edge const> edges, Rank Edge::*end) {
  std::vector<std::int64_t> first(static_cast<std::size_t>(ranks) + 1, 0);
  for (Edge const& edge : edges) ++first[at(edge.*end) + 1];
  for (std::size_t r = 1; r < first.size(); ++r) first[r] += first[r - 1];
  return first;
}

/// The ranks of `neighbors` except `self`, ascending, each once.
std::vector<Rank> distinct(std::span<Neighbor const> neighbors, Rank self) {
  std::vector<Rank> ranks;
  ranks.reserve(neighbors.size());
  for (Neighbor const& neighbor : neighbors) {
    if (neighbor.rank != self) ranks.push_back(neighbor.rank);
  }
  if (!std::is_sorted(ranks.begin(), ranks.end())) std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  return ranks;
}

/// The number of failures before the first success in independent trials that succeed with probability `density`. It is
/// at least k with probability q^k, where q = 1 - density. So it is the largest k with q^k >= u for u uniform in (0,
/// 1]. It is found from its highest bit down by products of q^1, q^2, q^4, .... This only uses multiplications and
/// comparisons of IEEE doubles, so a seed gives the same number on every machine; a library's logarithm does not
/// guarantee this.
class Skips {
 public:
  explicit Skips(double density) {
    powers_.push_back(1 - density);
    // Smaller powers are below every u, and no graph has 2^48 pairs of ranks.
    while (powers_.back() >= smallest_u && powers_.size() < 48) powers_.push_back(powers_.back() * powers_.back());
  }

  std::int64_t draw(Random& random) const {
    double const u = 1 - random.unit();
    double power = 1;
    std::int64_t skipped = 0;
    for (std::size_t bit = powers_.size(); bit-- > 0;) {
      if (power * powers_[bit] < u) continue;
      power *= powers_[bit];
      skipped += std::int64_t{1} << bit;
    }
    return skipped;
  }

 private:
  static constexpr double smallest_u = 0x1p-53;
  std::vector<double> powers_;  ///< q^(2^i)
};

}  // namespace

/// Sorts the edges by source and by target, by counting; edges with equal ends keep their order.
ProcessGraph::ProcessGraph(int ranks, std::span<Edge const> edges) {
  check(ranks, edges);
  Arrays arrays;
  arrays.first_target = first_of_each(ranks, edges, &Edge::source);
  arrays.first_source = first_of_each(ranks, edges, &Edge::target);
  arrays.targets.resize(edges.size());
  arrays.sources.resize(edges.size());
  std::vector<std::int64_t> next = arrays.first_target;
  for (Edge const& edge : edges) arrays.targets[static_cast<std::size_t>(next[at(edge.source)]++)].rank = edge.target;
  // Filled source by source, so the sources of a rank are in ascending order.
  next = arrays.first_source;
  for (std::int32_t source = 0; source < ranks; ++source) {
    std::int64_t const first = arrays.first_target[at(Rank(source))];
    for (std::int64_t e = first; e < arrays.first_target[at(Rank(source)) + 1]; ++e) {
      Neighbor& target = arrays.targets[static_cast<std::size_t>(e)];
      std::int64_t const place = next[at(target.rank)]++;
      arrays.sources[static_cast<std::size_t>(place)] = {Rank(source), static_cast<std::uint32_t>(e - first)};
      target.slot = static_cast<std::uint32_t>(place - arrays.first_source[at(target.rank)]);
    }
  }
  arrays_ = std::make_shared<Arrays const>(std::move(arrays));
}

std::vector<Rank> ProcessGraph::distinct_targets(Rank rank) const { return distinct(targets(rank), rank); }

std::vector<Rank> ProcessGraph::distinct_sources(Rank rank) const { return distinct(sources(rank), rank); }

void expect_random_graph(int ranks, double density) {
  if (!(density >= 0 && density <= 1)) throw InputError(fmt::format("expected a density from 0 to 1, got {}", density));
  if (ranks < 0 || ranks > Torus::most_ranks) {
    throw InputError(
        fmt::format("expected a number of ranks from 0 to {} for a random graph, got {}", Torus::most_ranks, ranks));
  }
  double const expected = density * ranks * (ranks - 1.0);
  if (expected <= static_cast<double>(ProcessGraph::most_edges)) return;
  throw InputError(fmt::format("a process graph has at most {} edges; {} ranks of density {} have {:.0f}",
                               ProcessGraph::most_edges, ranks, density, expected));
}

void expect_moore_graph(Torus const& torus, int radius) {
  expect_radius(radius);
  double reached = 1;  // by each rank, itself too
  for (int const extent : torus.extents()) reached *= std::min(2 * radius + 1, extent);
  double const edges = torus.size() * (reached - 1);
  if (edges <= static_cast<double>(ProcessGraph::most_edges)) return;
  throw InputError(fmt::format("a process graph has at most {} edges; {} ranks with {:.0f} neighbors each have {:.0f}",
                               ProcessGraph::most_edges, torus.size(), reached - 1, edges));
}

/// Skips from edge to edge instead of trying each pair [Batagelj05].
ProcessGraph erdos_renyi(int ranks, double density, std::uint64_t seed) {
  expect_random_graph(ranks, density);
  std::int64_t const others = std::int64_t{ranks} - 1;
  std::int64_t const pairs = ranks * others;
  std::vector<Edge> edges;
  edges.reserve(static_cast<std::size_t>(density * static_cast<double>(pairs)));
  Random random(seed);
  Skips const skips(density);
  for (std::int64_t pair = skips.draw(random); pair < pairs; pair += 1 + skips.draw(random)) {
    auto const source = static_cast<std::int32_t>(pair / others);
    auto const target = static_cast<std::int32_t>(pair % others);
    edges.push_back({Rank(source), Rank(target < source ? target : target + 1)});
    if (std::ssize(edges) > ProcessGraph::most_edges) break;  // which check() refuses
  }
  return ProcessGraph(ranks, edges);
}

Neighborhood distinct_moore(Torus const& torus, int radius) {
  expect_moore_graph(torus, radius);
  // Among the offsets that lead to the same rank, moore(dimensions, radius) lists the one with the lowest coordinates
  // first. This is the one in which each coordinate is less than -radius plus the extent.
  std::vector<int> highest;
  for (int const extent : torus.extents()) highest.push_back(std::min(radius, extent - 1 - radius));
  std::vector<int> offset(highest.size(), -radius);
  std::vector<std::vector<int>> offsets;
  for (bool more = true; more;) {
    if (!torus.is_self(offset)) offsets.push_back(offset);
    std::size_t j = offset.size();
    while (j > 0 && offset[j - 1] == highest[j - 1]) offset[--j] = -radius;
    more = j > 0;
    if (more) ++offset[j - 1];
  }
  return Neighborhood(torus.dimensions(), offsets);
}

ProcessGraph moore(Torus const& torus, int radius) { return offsets_graph(torus, distinct_moore(torus, radius)); }

void expect_offsets_graph(Torus const& torus, Neighborhood const& neighborhood) {
  expects(neighborhood.dimensions() == torus.dimensions(), "a neighborhood of the torus' dimension");
  std::int64_t const edges = std::int64_t{torus.size()} * neighborhood.size();
  if (edges <= ProcessGraph::most_edges) return;
  throw InputError(fmt::format("a process graph has at most {} edges; {} ranks with {} neighbors each have {}",
                               ProcessGraph::most_edges, torus.size(), neighborhood.size(), edges));
}

ProcessGraph offsets_graph(Torus const& torus, Neighborhood const& neighborhood) {
  expect_offsets_graph(torus, neighborhood);
  std::vector<Edge> edges;
  edges.reserve(static_cast<std::size_t>(torus.size()) * static_cast<std::size_t>(neighborhood.size()));
  for (std::int32_t r = 0; r < torus.size(); ++r) {
    for (int i = 0; i < neighborhood.size(); ++i) edges.push_back({Rank(r), torus.add(Rank(r), neighborhood[i])});
  }
  return ProcessGraph(torus.size(), edges);
}

namespace {

std::vector<Edge> edges_from(ProcessGraph const& graph, Rank source) {
  std::vector<Edge> edges;
  for (Neighbor const& target : graph.targets(source)) edges.push_back({source, target.rank});
  return edges;
}

std::vector<Edge> edges_into(ProcessGraph const& graph, Rank target) {
  std::vector<Edge> edges;
  for (Neighbor const& source : graph.sources(target)) edges.push_back({source.rank, target});
  return edges;
}

void append_once(std::vector<Edge>& edges, ProcessGraph const& graph, Rank source) {
  for (Rank const target : graph.distinct_targets(source)) edges.push_back({source, target});
}

}  // namespace

bool has_root(SparseCollective collective) {
  return collective != SparseCollective::allreduce && collective != SparseCollective::barrier;
}

/// Parallel edges count once where only one block is sent.
ProcessGraph used_edges(ProcessGraph const& graph, SparseCollective collective, Rank root) {
  std::vector<Edge> edges;
  switch (collective) {
    case SparseCollective::allreduce:
      return graph;
    case SparseCollective::bcast:
      append_once(edges, graph, root);
      break;
    case SparseCollective::scatter:
      edges = edges_from(graph, root);
      break;
    case SparseCollective::gather:
    case SparseCollective::reduce:
      edges = edges_into(graph, root);
      break;
    case SparseCollective::barrier:
      for (int rank = 0; rank < graph.ranks(); ++rank) append_once(edges, graph, Rank(rank));
      break;
  }
  return {graph.ranks(), edges};
}

}  // namespace rondo
