#pragma once

// Process graphs from text. The first line distinguishes two formats:
//
// Edge list: one `source target [weight]` on each line, with ranks from 0, separated by blanks or tabs. Text after # or
// % is a comment. It must not mention Matrix Market: a file with a damaged or late banner is refused. Empty lines are
// skipped. The weight is a number, by default 1.
//
// Matrix Market (first line `%%MatrixMarket matrix coordinate FIELD SYMMETRY`): FIELD is pattern, real, integer or
// complex, SYMMETRY is general, symmetric, skew-symmetric or hermitian. Comment lines begin with %. Then comes a line
// `rows columns entries`, and one line `row column [values]` for each entry, counted from 1. The matrix is square.
// Entry (i, j) is the edge from rank i - 1 to rank j - 1 and, except in general matrices, also the edge back, unless i
// = j: a diagonal entry is a self loop. The (real part of the) value is the weight of its edges; in a pattern it is 1.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topology/process_graph.hpp"

namespace rondo {

/// A process graph and the weight of each edge, numbered as by ProcessGraph::first_edge; if `weights` is empty, all are
/// 1.
struct WeightedGraph {
  ProcessGraph graph;
  std::vector<double> weights = {};
  /// The name of an edge list that states no number of ranks and names no rank 0. Rank 0 then has no neighbor; probably
  /// the ranks of the file are numbered from 1. Empty otherwise.
  std::string lacks_rank_0 = {};
  friend bool operator==(WeightedGraph const&, WeightedGraph const&) = default;
};
/// `weights` has the weights of `edges` in the same order, or is empty. Throws InputError as ProcessGraph does.
WeightedGraph weighted_graph(int ranks, std::vector<Edge> const& edges, std::vector<double> const& weights);

/// The graph in `text`. `name` precedes errors, as in "name:12: expected a rank from 0 to 7, got 8". An edge list
/// without `ranks` has one rank more than its largest number. A matrix has as many ranks as rows, which must agree with
/// `ranks`. Throws InputError; for a rank past the last one, the text says if no edge names rank 0.
WeightedGraph parse_graph(std::string_view text, std::string const& name, std::optional<int> ranks = std::nullopt);

}  // namespace rondo
