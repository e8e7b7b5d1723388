#pragma once

// Process graphs from text. Two formats, told apart by the first line:
//
// Edge list: one `source target [weight]` a line, ranks from 0, separated by blanks or tabs. What follows a # or % is
// a comment, which must not speak of Matrix Market: a file whose banner is damaged or late is refused. Empty lines are
// skipped. The weight is a number, 1 where it is left out.
//
// Matrix Market (first line `%%MatrixMarket matrix coordinate FIELD SYMMETRY`): FIELD is pattern, real, integer or
// complex, SYMMETRY general, symmetric, skew-symmetric or hermitian. Comment lines begin with %, then one line `rows
// columns entries`, then one entry `row column [values]` a line, from 1. The matrix is square; entry (i, j) is the
// edge from rank i - 1 to rank j - 1, and in all but general matrices also the one back, unless i = j: a diagonal
// entry is a self loop. The (real part of the) value is the weight of its edges, 1 in a pattern.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topology/process_graph.hpp"

namespace rondo {

/// A process graph and the weight of each edge, as ProcessGraph::first_edge numbers them; empty: all are 1.
struct WeightedGraph {
  ProcessGraph graph;
  std::vector<double> weights = {};
  /// The edge list that states no number of ranks and names no rank 0, which then has no neighbor: as likely its ranks
  /// are numbered from 1. Empty otherwise.
  std::string lacks_rank_0 = {};
  friend bool operator==(WeightedGraph const&, WeightedGraph const&) = default;
};
/// `weights` holds the weights of `edges` in their order, or is empty. Throws InputError as ProcessGraph does.
WeightedGraph weighted_graph(int ranks, std::vector<Edge> const& edges, std::vector<double> const& weights);

/// The graph in `text`; `name` stands before errors, as in "name:12: expected a rank from 0 to 7, got 8". An edge list
/// without `ranks` has one rank more than its largest number; a matrix has as many as rows, which must agree with
/// `ranks`. Throws InputError, which says of a rank past the last one where no edge names rank 0.
WeightedGraph parse_graph(std::string_view text, std::string const& name, std::optional<int> ranks = std::nullopt);

}  // namespace rondo
