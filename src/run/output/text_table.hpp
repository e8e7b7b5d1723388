#pragma once

// Tables in text: for a terminal, and as Markdown.

#include <string>
#include <vector>

namespace rondo {

/// Rows of cells, the first the names of the columns.
using Cells = std::vector<std::vector<std::string>>;

/// Columns as wide as their widest cell, right-aligned, two blanks apart; printable (base/printable.hpp).
std::string text_table(Cells const& rows);

/// A table of GitHub's Markdown; `right_aligned` but for its first columns, which are left as text.
std::string markdown_table(Cells const& rows);

/// Text in Markdown: nothing in it is markup or ends a cell, and it is printable.
std::string markdown_text(std::string const& text);

/// "6.054us", "0s": seconds with six digits and a unit that reads well.
std::string shown(double seconds);

}  // namespace rondo
