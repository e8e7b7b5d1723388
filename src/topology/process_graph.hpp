#pragma once

// Process graphs: which ranks send to which in a neighborhood collective, where each rank has neighbors of its own.
// Random graphs and Moore neighborhoods are made here.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/ids.hpp"
#include "topology/neighborhood.hpp"
#include "topology/torus.hpp"

namespace rondo {

/// A directed edge: `source` sends a block to `target`.
struct Edge {
  Rank source, target;
  friend constexpr auto operator<=>(Edge const&, Edge const&) = default;
};

/// The other end of an edge, and the edge's index in that rank's own list.
struct Neighbor {
  Rank rank;
  std::uint32_t slot = 0;
  friend constexpr auto operator<=>(Neighbor const&, Neighbor const&) = default;
};

/// What is said of a rank past the last one where ranks may be numbered from 1.
constexpr char const* no_edge_of_rank_0 = "ranks are numbered from 0, and no edge names rank 0";

/// The communication graph of a neighborhood collective, as MPI_Dist_graph_create makes it. The order of a rank's
/// targets is that of the blocks in its send buffer, the order of its sources that of its receive buffer. A neighbor
/// listed twice is two edges with a block each; a self loop is an edge whose block stays, a local copy. Ranks without
/// edges are allowed. A value whose copies share their arrays.
class ProcessGraph {
 public:
  static constexpr std::int64_t most_edges = std::int64_t{1} << 28;

  /// A rank's targets keep the order of `edges`; its sources ascend, parallel edges in the order of `edges`.
  /// Throws InputError unless ranks is from 0 to Torus::most_ranks, every edge joins two of them and there are at most
  /// most_edges.
  ProcessGraph(int ranks, std::span<Edge const> edges);

  int ranks() const { return static_cast<int>(arrays_->first_target.size()) - 1; }
  /// Self loops and parallel edges included.
  std::int64_t edges() const { return static_cast<std::int64_t>(arrays_->targets.size()); }
  /// Block i of `rank` goes to receive slot targets(rank)[i].slot of targets(rank)[i].rank.
  std::span<Neighbor const> targets(Rank rank) const { return slice(arrays_->targets, arrays_->first_target, rank); }
  /// Receive slot j of `rank` is for block sources(rank)[j].slot of sources(rank)[j].rank.
  std::span<Neighbor const> sources(Rank rank) const { return slice(arrays_->sources, arrays_->first_source, rank); }
  /// The number of the edge to the first target of `rank`, where edges are numbered rank by rank.
  std::int64_t first_edge(Rank rank) const { return arrays_->first_target[static_cast<std::size_t>(rank.value)]; }
  /// The ranks that `rank` sends to, ascending, each once, without itself.
  std::vector<Rank> distinct_targets(Rank rank) const;
  /// The ranks that `rank` receives from, ascending, each once, without itself.
  std::vector<Rank> distinct_sources(Rank rank) const;

  friend bool operator==(ProcessGraph const& a, ProcessGraph const& b) {
    return a.arrays_ == b.arrays_ || *a.arrays_ == *b.arrays_;
  }

 private:
  struct Arrays {
    std::vector<std::int64_t> first_target, first_source;  ///< one a rank, with a closing one
    std::vector<Neighbor> targets, sources;
    friend bool operator==(Arrays const&, Arrays const&) = default;
  };
  static std::span<Neighbor const> slice(std::vector<Neighbor> const& all, std::vector<std::int64_t> const& first,
                                         Rank rank) {
    auto const r = static_cast<std::size_t>(rank.value);
    return std::span(all).subspan(static_cast<std::size_t>(first[r]),
                                  static_cast<std::size_t>(first[r + 1] - first[r]));
  }

  std::shared_ptr<Arrays const> arrays_;
};

/// Each ordered pair (i, j) of different ranks is an edge with probability `density` from 0 to 1, independently: with
/// Random(seed), pair by pair with i slowest and j ascending, each draw says how many pairs are skipped before the next
/// edge [Batagelj05]. The same graph on every machine, in O(edges log(1/density)). Throws InputError on a density that
/// is not between 0 and 1.
ProcessGraph erdos_renyi(int ranks, double density, std::uint64_t seed);

/// Every rank sends to the others within Chebyshev distance `radius` on the torus [Mirsadeghi17, Section VI-B,
/// corrected: the text says Manhattan], each once even where a small torus leads to it twice, in the order of
/// moore(dimensions, radius).
ProcessGraph moore(Torus const& torus, int radius);
/// Its offsets: those of moore(dimensions, radius) but for what leads to a rank again, or to the rank itself.
Neighborhood distinct_moore(Torus const& torus, int radius);

/// Every rank sends to its neighbors at these offsets on the torus, in their order: an edge for each offset, also where
/// two of them lead to the same rank, or one to the rank itself. The dimensions agree. Throws InputError where that is
/// more than most_edges.
ProcessGraph offsets_graph(Torus const& torus, Neighborhood const& neighborhood);

}  // namespace rondo
