#pragma once

// Prints tables of text, for a terminal and as Markdown. A pivot table has the form of OSU's benchmarks: sizes go
// down, algorithms go across, and the fastest in each row is marked. Each combination of the other swept values
// has a pivot table of its own.

#include <optional>
#include <string>
#include <vector>

namespace rondo {

/// Rows of cells. The first row has the names of the columns.
using Cells = std::vector<std::vector<std::string>>;

/// Prints a table whose columns are as wide as their widest cell, right-aligned, with two blanks in between. The text
/// is printable (base/printable.hpp). Rows may have different numbers of cells.
std::string text_table(Cells const& rows);

/// Prints a table of GitHub's Markdown. All columns are right-aligned. Cells are escaped as in markdown_text.
std::string markdown_table(Cells const& rows);

/// Makes a text printable, and escapes the characters \, |, *, _, < and `, so that Markdown shows them and no cell ends
/// early.
std::string markdown_text(std::string const& text);

/// Prints a time that is at least 0 with up to six digits, in the largest of the units s, ms, us and ns in which it is
/// at least 1: "6.054us". Below 1 ns the unit is ns; no time is "0s".
std::string shown(double seconds);

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
