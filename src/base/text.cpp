// Compiles fmt's formatter for appending. No other file does so.

#include "base/text.hpp"

#include <iterator>

namespace rondo {

void append_formatted(std::string& text, fmt::string_view format, fmt::format_args values) {
  fmt::vformat_to(std::back_inserter(text), format, values);
}

}  // namespace rondo
