// Compiles fmt's formatter for appending. No other file does so.

#include "base/text.hpp"

#include <iterator>

namespace rondo {

void append_formatted(std::string& text, fmt::string_view format, fmt::format_args values) {
  fmt::vformat_to(std::back_inserter(text), format, values);
}

std::string trimmed(std::string_view text) {
  constexpr char const* blanks = " \t\r";
  std::size_t const begin = text.find_first_not_of(blanks), end = text.find_last_not_of(blanks);
  return begin == std::string_view::npos ? "" : std::string(text.substr(begin, end - begin + 1));
}

}  // namespace rondo
