#pragma once

// The results of a sweep as people know them from OSU's benchmarks: sizes down, algorithms across, and the fastest of
// each row marked. Each choice of the other swept values is a table of its own.

#include <optional>
#include <string>
#include <vector>

#include "run/output/text_table.hpp"

namespace rondo {

/// One record's place in such a table and what stands there.
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

/// The tables in the order in which their first cells come, so are rows and columns. A place without a cell is "-".
/// `corner` is the name of the axis that goes down. Times within 1e-9 of each other are equal.
std::vector<Pivot> pivots(std::vector<PivotCell> const& cells, std::string const& corner);

}  // namespace rondo
