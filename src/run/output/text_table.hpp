#pragma once

// Tables of text, for a terminal and as Markdown.

#include <string>
#include <vector>

namespace rondo {

/// Rows of cells, the first the names of the columns.
using Cells = std::vector<std::vector<std::string>>;

/// A table whose columns are as wide as their widest cell, right-aligned, with two blanks in between. The text is
/// printable (base/printable.hpp).
std::string text_table(Cells const& rows);

/// A table of GitHub's Markdown. All columns are right-aligned except the first ones, which are text.
std::string markdown_table(Cells const& rows);

/// A text for Markdown in which no character is markup or ends a cell, and which is printable.
std::string markdown_text(std::string const& text);

/// "6.054us", "0s": seconds with six digits and a unit that reads well.
std::string shown(double seconds);

}  // namespace rondo
