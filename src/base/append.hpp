#pragma once

#include <fmt/format.h>

#include <string>

namespace rondo {

void append_formatted(std::string& text, fmt::string_view format, fmt::format_args values);

/// What fmt::format_to(std::back_inserter(text), format, values...) appends; that one compiles all of fmt's formatter
/// anew in each file that calls it, a second of its build.
template <typename... Values>
void append(std::string& text, fmt::format_string<Values...> format, Values const&... values) {
  append_formatted(text, format, fmt::make_format_args(values...));
}

}  // namespace rondo
