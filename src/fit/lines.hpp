#pragma once

// A text taken apart into lines and cells, each with its place.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rondo::fit {

struct Cell {
  std::string_view text;
  std::size_t column = 1;  ///< of its first byte, counted from 1
};

struct Line {
  std::string_view text;
  std::size_t number = 1;
};

/// All lines, without their ends ("\n" or "\r\n").
std::vector<Line> lines_of(std::string_view text);
/// What spaces and tabs part.
std::vector<Cell> words_of(std::string_view line);
/// What a separator parts, without spaces around; as many cells as separators and one more.
std::vector<Cell> cells_of(std::string_view line, char separator);

/// Where something stands, for errors.
struct Place {
  std::string const& file;
  std::size_t line;
  /// Throws InputError "FILE:LINE:COLUMN: expected ..., got ...".
  [[noreturn]] void refuse(Cell const& cell, std::string_view expected) const;
  /// Refuses a line as a whole, without a column.
  [[noreturn]] void refuse(std::string_view expected, std::string_view got) const;
};

/// A decimal number that is finite and at least 0; `what` names it in the error. A unit after it is refused as such.
double number_of(Cell const& cell, std::string_view what, Place const& place);
/// A whole number of at least `least` that 62 bits hold.
std::int64_t count_of(Cell const& cell, std::string_view what, std::int64_t least, Place const& place);

}  // namespace rondo::fit
