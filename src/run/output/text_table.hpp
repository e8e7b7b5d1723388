#pragma once

// Prints tables of text, for a terminal and as Markdown.

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

}  // namespace rondo
