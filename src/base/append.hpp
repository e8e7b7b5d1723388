#pragma once

// Formatted text appended to a string, without compiling fmt's formatter in every file.

#include <fmt/format.h>

#include <string>

namespace rondo {

void append_formatted(std::string& text, fmt::string_view format, fmt::format_args values);

/// Appends the text that fmt::format_to would produce. Each file that calls fmt::format_to with an iterator compiles
/// the whole formatter of fmt again, which takes about a second; this function is compiled once.
template <typename... Values>
void append(std::string& text, fmt::format_string<Values...> format, Values const&... values) {
  append_formatted(text, format, fmt::make_format_args(values...));
}

}  // namespace rondo
