#pragma once

// Represents process graphs: which ranks send to which in a neighborhood collective in which each rank has its own
// neighbors. Also makes random graphs, and graphs of neighborhoods on a torus. A function whose name begins with
// expect_ checks the size of a graph before it is made: it throws InputError if the generator of that name would
// fail, or take hours. The generators call these functions first. SparseCollective lists the MPI collectives without
// a neighborhood form, and used_edges gives their meaning on a process graph [Traeff21, Section 2].

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

/// A part of the error about a rank past the last one, for edges whose ranks may be numbered from 1.
constexpr char const* no_edge_of_rank_0 = "ranks are numbered from 0, and no edge names rank 0";

/// The communication graph of a neighborhood collective, as MPI_Dist_graph_create makes it. The blocks in a rank's send
/// buffer have the order of its targets, and those in its receive buffer the order of its sources. A neighbor that is
/// listed twice is two edges with a block each. A self loop is an edge whose block is copied locally. Ranks without
/// edges are allowed. Copies of this value share their arrays.
class ProcessGraph {
 public:
  static constexpr std::int64_t most_edges = std::int64_t{1} << 28;

  /// The targets of a rank keep the order of `edges`. Its sources ascend, and parallel edges keep the order of `edges`.
  /// Throws InputError unless ranks is from 0 to Torus::most_ranks, every edge joins two of them, and there are at most
  /// most_edges edges.
  ProcessGraph(int ranks, std::span<Edge const> edges);

  int ranks() const { return static_cast<int>(arrays_->first_target.size()) - 1; }
  /// Returns the number of edges, including self loops and parallel edges.
  std::int64_t edges() const { return static_cast<std::int64_t>(arrays_->targets.size()); }
  /// Block i of `rank` goes to receive slot targets(rank)[i].slot of targets(rank)[i].rank.
  std::span<Neighbor const> targets(Rank rank) const { return slice(arrays_->targets, arrays_->first_target, rank); }
  /// Receive slot j of `rank` is for block sources(rank)[j].slot of sources(rank)[j].rank.
  std::span<Neighbor const> sources(Rank rank) const { return slice(arrays_->sources, arrays_->first_source, rank); }
  /// Returns the number of the edge to the first target of `rank`; edges are numbered rank by rank.
  std::int64_t first_edge(Rank rank) const { return arrays_->first_target[static_cast<std::size_t>(rank.value)]; }
  /// Returns the ranks to which `rank` sends, without itself, ascending, each once.
  std::vector<Rank> distinct_targets(Rank rank) const;
  /// Returns the ranks from which `rank` receives, without itself, ascending, each once.
  std::vector<Rank> distinct_sources(Rank rank) const;

  friend bool operator==(ProcessGraph const& a, ProcessGraph const& b) {
    return a.arrays_ == b.arrays_ || *a.arrays_ == *b.arrays_;
  }

 private:
  struct Arrays {
    /// By rank: where its entries in `targets` and `sources` begin. One more entry is the number of edges.
    std::vector<std::int64_t> first_target, first_source;
    std::vector<Neighbor> targets, sources;  ///< of all ranks, rank by rank
    friend bool operator==(Arrays const&, Arrays const&) = default;
  };
  /// The entries of one rank.
  static std::span<Neighbor const> slice(std::vector<Neighbor> const& all, std::vector<std::int64_t> const& first,
                                         Rank rank) {
    auto const r = static_cast<std::size_t>(rank.value);
    return std::span(all).subspan(static_cast<std::size_t>(first[r]),
                                  static_cast<std::size_t>(first[r + 1] - first[r]));
  }

  std::shared_ptr<Arrays const> arrays_;
};

/// Each ordered pair (i, j) of different ranks is an edge with probability `density`, from 0 to 1, independently of the
/// others. Pairs are visited with i slowest and j ascending, and each draw of Random(seed) gives the number of pairs
/// that are skipped before the next edge [Batagelj05]. The graph is the same on every machine; it takes O(edges
/// log(1/density)) time. Throws InputError if the density is not from 0 to 1, if `ranks` is not from 0 to
/// Torus::most_ranks, or if the graph has, or is expected to have, more than most_edges edges.
ProcessGraph erdos_renyi(int ranks, double density, std::uint64_t seed);

/// Every rank sends to the others within Chebyshev distance `radius` on the torus [Mirsadeghi17, Section VI-B,
/// corrected: the text says Manhattan]. Each neighbor is listed once, even if several offsets lead to it on a small
/// torus, in the order of moore(dimensions, radius). Throws InputError unless `radius` is from 0 to
/// Neighborhood::largest_coordinate, and for more than most_edges edges.
ProcessGraph moore(Torus const& torus, int radius);
/// Lists the offsets of this graph: those of moore(dimensions, radius), except those that lead to the same rank again
/// or to the rank itself. Throws InputError as moore.
Neighborhood distinct_moore(Torus const& torus, int radius);

/// Every rank sends to its neighbors at these offsets on the torus, in order: an edge for each offset, even if two of
/// them lead to the same rank, or one to the rank itself. The numbers of dimensions must agree. Throws InputError for
/// more than most_edges edges.
ProcessGraph offsets_graph(Torus const& torus, Neighborhood const& neighborhood);

/// A density from 0 to 1, at most Torus::most_ranks ranks, and an expected number of at most ProcessGraph::most_edges
/// edges.
void expect_random_graph(int ranks, double density);
/// A radius from 0 to Neighborhood::largest_coordinate, and at most ProcessGraph::most_edges edges. Their number is
/// exact: each rank has the product of min(2*radius+1, extent)
/// over the dimensions, less 1 for itself.
void expect_moore_graph(Torus const& torus, int radius);
/// At most ProcessGraph::most_edges edges: each offset is an edge of every rank. The numbers of dimensions must agree.
void expect_offsets_graph(Torus const& torus, Neighborhood const& neighborhood);
/// An expected number of at most ProcessGraph::most_edges edges.
void expect_geometric_graph(int ranks, double degree);

/// The collectives.
/// allreduce: every rank reduces the blocks of its sources.
/// reduce, gather: the root gets the blocks of its sources, one for each edge.
/// bcast: the targets of the root get its block.
/// scatter: the targets of the root get a block for each edge.
/// barrier: every rank hears from all its sources.
enum class SparseCollective : std::uint8_t { allreduce, bcast, gather, scatter, reduce, barrier };

/// Whether there is a root, which takes part in every message.
bool has_root(SparseCollective collective);

/// The edges along which blocks are sent. With a block for each rank, or for scatter a block for each edge, the
/// collective is a neighborhood collective on these edges. Broadcasts and barriers send to each neighbor once, even if
/// it is listed several times, and not to the rank itself.
ProcessGraph used_edges(ProcessGraph const& graph, SparseCollective collective, Rank root);

}  // namespace rondo
