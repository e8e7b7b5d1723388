#pragma once

// A text of measurements taken apart into lines and cells. Each cell keeps its place, so that an error can name the
// line and the column.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rondo::fit {

/// A part of a line.
struct Cell {
  std::string_view text;
  std::size_t column = 1;  ///< of its first byte, counted from 1
};

/// A line of the text.
struct Line {
  std::string_view text;
  std::size_t number = 1;  ///< counted from 1
};

/// All lines, also empty ones, without their ends ("\n" or "\r\n"). They refer to `text`, as cells refer to their line.
/// A text that ends with a line end has no empty line after it.
std::vector<Line> lines_of(std::string_view text);
/// The words of a line, which spaces and tabs separate.
std::vector<Cell> fields_of(std::string_view line);
/// The cells of a line between separators, without spaces and tabs around them. A line with n separators has n + 1
/// cells, of which some may be empty.
std::vector<Cell> cells_of(std::string_view line, char separator);

/// A line of a file, for the text of an error about it.
struct Place {
  std::string const& file;
  std::size_t line;
  /// Throws InputError "FILE:LINE:COLUMN: expected ..., got ...".
  [[noreturn]] void refuse(Cell const& cell, std::string_view expected) const;
  /// Refuses a whole line, without a column.
  [[noreturn]] void refuse(std::string_view expected, std::string_view got) const;
};

/// The value of a decimal number that is finite and at least 0. Throws InputError for any other text, also for a number
/// with a unit behind it. `what` names the number in the error.
double number_of(Cell const& cell, std::string_view what, Place const& place);
/// The value of a whole number from `minimum` to 2^62. It may be written as a decimal number, such as 1e6. Throws
/// InputError for any other text.
std::int64_t count_of(Cell const& cell, std::string_view what, std::int64_t minimum, Place const& place);

}  // namespace rondo::fit
