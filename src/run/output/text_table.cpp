// Aligns cells in columns, and escapes text for Markdown.
//
// Arranges results in rows and columns and marks the fastest of each row.

#include "run/output/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string_view>

#include "base/printable.hpp"

namespace rondo {

std::string text_table(Cells const& texts) {
  Cells rows = texts;
  for (auto& cells : rows) std::transform(cells.begin(), cells.end(), cells.begin(), printable);
  std::vector<std::size_t> widths;
  for (auto const& cells : rows) {
    widths.resize(std::max(widths.size(), cells.size()), 0);
    for (std::size_t c = 0; c < cells.size(); ++c) widths[c] = std::max(widths[c], cells[c].size());
  }
  std::string text;
  for (auto const& cells : rows) {
    std::string line;
    for (std::size_t c = 0; c < cells.size(); ++c) line += fmt::format("{:>{}}  ", cells[c], widths[c]);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string markdown_table(Cells const& rows) {
  std::string text;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::string const& cell : rows[i]) text += "| " + markdown_text(cell) + " ";
    text += "|\n";
    for (std::size_t c = 0; i == 0 && c < rows[0].size(); ++c) text += "|--:";
    if (i == 0) text += "|\n";
  }
  return text;
}

std::string markdown_text(std::string const& text) {
  std::string result;
  for (char const c : printable(text)) {
    if (std::string_view("\\|*_<`").find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

std::string shown(double seconds) {
  if (seconds == 0) return "0s";
  if (seconds < 1e-6) return fmt::format("{:.6g}ns", seconds * 1e9);
  if (seconds < 1e-3) return fmt::format("{:.6g}us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.6g}ms", seconds * 1e3);
  return fmt::format("{:.6g}s", seconds);
}

namespace {

/// The place of a name in the list, to which it is added if it is missing.
std::size_t place_of(std::vector<std::string>& words, std::string const& word) {
  auto const found = std::find(words.begin(), words.end(), word);
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  words.push_back(word);
  return words.size() - 1;
}

/// One table. Rows and columns keep the order of their first cells.
Pivot pivot_of(std::string const& table, std::vector<PivotCell> const& cells, std::string const& corner) {
  std::vector<std::string> rows, columns;
  for (PivotCell const& cell : cells) {
    if (cell.table != table) continue;
    place_of(rows, cell.row);
    place_of(columns, cell.column);
  }
  std::vector<double> best(rows.size(), std::numeric_limits<double>::infinity());
  for (PivotCell const& cell : cells) {
    if (cell.table != table || !cell.time_s) continue;
    double& fastest = best[place_of(rows, cell.row)];
    fastest = std::min(fastest, *cell.time_s);
  }
  Pivot pivot{table, Cells(rows.size() + 1, std::vector<std::string>(columns.size() + 1, "-"))};
  pivot.rows[0][0] = corner;
  std::copy(columns.begin(), columns.end(), pivot.rows[0].begin() + 1);
  for (std::size_t r = 0; r < rows.size(); ++r) pivot.rows[r + 1][0] = rows[r];
  for (PivotCell const& cell : cells) {
    if (cell.table != table) continue;
    std::size_t const r = place_of(rows, cell.row);
    bool const wins = columns.size() > 1 && cell.time_s && *cell.time_s <= best[r] * (1 + 1e-9);
    pivot.rows[r + 1][place_of(columns, cell.column) + 1] = cell.text + (wins ? " *" : "  ");
  }
  return pivot;
}

}  // namespace

/// Tables, rows and columns come in the order in which they occur first.
std::vector<Pivot> pivots(std::vector<PivotCell> const& cells, std::string const& corner) {
  std::vector<std::string> tables;
  for (PivotCell const& cell : cells) place_of(tables, cell.table);
  std::vector<Pivot> result;
  for (std::string const& table : tables) result.push_back(pivot_of(table, cells, corner));
  return result;
}

}  // namespace rondo
