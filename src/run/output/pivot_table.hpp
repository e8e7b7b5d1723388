#pragma once

// The results of a sweep in the form of OSU's benchmarks: sizes go down, algorithms go across, and the fastest in
// each row is marked. Each combination of the other swept values has a table of its own.

#include <optional>
#include <string>
#include <vector>

#include "run/output/text_table.hpp"

namespace rondo {

/// The place of a record in such a table, and the text there.
struct PivotCell {
  std::string table;                            ///< the other swept values, as "ports = 2"; empty: there are none
  std::string row;                              ///< the value of the axis that goes down; empty: none does
  std::string column;                           ///< the algorithm
  std::string text;                             ///< the field that is shown
  std::optional<double> time_s = std::nullopt;  ///< unset: it was not simulated, and wins nothing
};

/// A table of the cells that are shown together.
struct Pivot {
  std::string title;
  Cells rows;  ///< the first has `corner` and the algorithms; a cell that is as fast as its row's fastest ends in " *"
};

/// The tables in the order in which their first cells come; rows and columns are ordered in the same way. A place
/// without a cell shows "-". `corner` is the name of the axis that goes down. Times that differ by less than 1e-9 are
/// equal.
std::vector<Pivot> pivots(std::vector<PivotCell> const& cells, std::string const& corner);

}  // namespace rondo
