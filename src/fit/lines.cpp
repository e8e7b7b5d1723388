// Splits texts of benchmarks into lines, fields and cells, without copies.

#include "fit/lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/error.hpp"

namespace rondo::fit {

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> result;
  for (std::size_t number = 1; !text.empty(); ++number) {
    std::size_t const end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    result.push_back({line, number});
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return result;
}

std::vector<Cell> fields_of(std::string_view line) {
  constexpr char const* blanks = " \t";
  std::vector<Cell> result;
  for (std::size_t begin = line.find_first_not_of(blanks); begin != std::string_view::npos;) {
    std::size_t const end = std::min(line.find_first_of(blanks, begin), line.size());
    result.push_back({line.substr(begin, end - begin), begin + 1});
    begin = line.find_first_not_of(blanks, end);
  }
  return result;
}

std::vector<Cell> cells_of(std::string_view line, char separator) {
  std::vector<Cell> result;
  for (std::size_t begin = 0; begin <= line.size();) {
    std::size_t const end = std::min(line.find(separator, begin), line.size());
    auto const words = fields_of(line.substr(begin, end - begin));
    if (words.empty()) {
      result.push_back({"", begin + 1});
    } else {
      std::size_t const first = begin + words.front().column - 1;
      std::size_t const last = begin + words.back().column - 1 + words.back().text.size();
      result.push_back({line.substr(first, last - first), first + 1});
    }
    begin = end + 1;
  }
  return result;
}

void Place::refuse(Cell const& cell, std::string_view expected) const {
  throw InputError(
      fmt::format("{}:{}:{}: expected {}, got \"{}\"", file, line, cell.column, expected, excerpt(cell.text)));
}

void Place::refuse(std::string_view expected, std::string_view got) const {
  throw InputError(fmt::format("{}:{}: expected {}, got {}", file, line, expected, got));
}

double number_of(Cell const& cell, std::string_view what, Place const& place) {
  double value = 0;
  char const* const end = cell.text.data() + cell.text.size();
  auto const [rest, error] = std::from_chars(cell.text.data(), end, value);
  bool const number = error == std::errc() && rest != cell.text.data();
  if (number && rest != end) {
    place.refuse(cell, fmt::format("{} as a number alone, in the unit that its column has throughout", what));
  }
  if (!number || !std::isfinite(value) || value < 0) place.refuse(cell, fmt::format("{}, a number >= 0", what));
  return value;
}

std::int64_t count_of(Cell const& cell, std::string_view what, std::int64_t minimum, Place const& place) {
  double const value = number_of(cell, what, place);
  constexpr double most = 0x1p62;
  if (value != std::floor(value) || value < static_cast<double>(minimum) || value > most) {
    place.refuse(cell, fmt::format("{}, a whole number >= {}", what, minimum));
  }
  return static_cast<std::int64_t>(value);
}

}  // namespace rondo::fit
