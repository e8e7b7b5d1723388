// Aligns cells in columns, and escapes text for Markdown.

#include "run/output/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
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

}  // namespace rondo
