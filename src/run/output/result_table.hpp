#pragma once

// Prints the results of a sweep as a table for people. Its columns are the swept values and fields of the record. The
// columns of fields have the names of the fields.

#include <string>
#include <vector>

#include "run/output/text_table.hpp"
#include "run/points/judge.hpp"

namespace rondo {

/// Which columns a table shows, and how wide it may be.
struct TableOptions {
  std::vector<std::string> columns;  ///< names of fields; empty: the usual ones, as many as fit
  std::size_t width = 100;           ///< characters of a line; only columns that the user names may exceed it
  bool pivot = false;  ///< sizes down and algorithms across (text_table.hpp); shows the first of `columns`
};

/// Throws InputError that names `option` if a column is no field of a record.
void expect_columns(std::vector<std::string> const& columns, std::string const& option);

/// The time of a point in a sweep over algorithms.
struct AlgorithmTime {
  std::string rest;  ///< the other swept values
  std::string algorithm;
  double time_s = 0;
};

/// The table of one scenario. Rows are added as points end.
class ResultTable {
 public:
  ResultTable(std::string title, TableOptions look);
  /// Adds the row of a point. All points must belong to one sweep.
  void add(PointResult const& result);

  /// Prints the table for a terminal, with the errors of points below it. Values that are the same at all points, or
  /// that follow from another column, are in a line above the columns. If no columns were named, the least important
  /// ones are dropped until the lines fit, and a line names them. If algorithms were swept, alone or with sizes, a last
  /// line says which was the fastest.
  std::string as_text() const;
  /// Prints the table in GitHub's Markdown, with all columns and without the line on the fastest algorithms.
  std::string as_markdown() const;

 private:
  void add_algorithm_time(PointResult const& result);
  void add_pivot_cell(PointResult const& result);
  std::string pivot_text(bool markdown) const;

  std::string title_;
  TableOptions look_;
  Cells rows_;                       ///< the first has the columns' names: point, the swept values, fields
  std::size_t swept_ = 0;            ///< the number of columns before the fields
  std::vector<std::string> errors_;  ///< "point 3: ..."
  std::vector<AlgorithmTime> algorithm_times_;
  std::vector<PivotCell> pivot_cells_;
  std::string corner_;  ///< the name of the axis that goes down
};

}  // namespace rondo
