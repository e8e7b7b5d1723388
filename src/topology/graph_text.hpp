#pragma once

// Process graphs from text. Two formats, told apart by the first line:
//
// Edge list: one `source target [weight]` a line, ranks from 0, separated by blanks or tabs. What follows a # or % is
// a comment; empty lines are skipped. The weight must be a number and is not used.
//
// Matrix Market (first line `%%MatrixMarket matrix coordinate FIELD SYMMETRY`): FIELD is pattern, real, integer or
// complex, SYMMETRY general, symmetric, skew-symmetric or hermitian. Comment lines begin with %, then one line `rows
// columns entries`, then one entry `row column [values]` a line, from 1. The matrix is square; entry (i, j) is the
// edge from rank i - 1 to rank j - 1, and in all but general matrices also the one back, unless i = j: a diagonal
// entry is a self loop. Values must be numbers and are not used.

#include <optional>
#include <string>
#include <string_view>

#include "topology/process_graph.hpp"

namespace rondo {

/// The graph in `text`; `name` stands before errors, as in "name:12: expected a rank from 0 to 7, got 8". An edge list
/// without `ranks` has one rank more than its largest number; a matrix has as many as rows, which must agree with
/// `ranks`. Throws InputError.
ProcessGraph parse_graph(std::string_view text, std::string const& name, std::optional<int> ranks = std::nullopt);

}  // namespace rondo
