#pragma once

#include <fmt/format.h>

#include <string>

namespace rondo {

void append_formatted(std::string& text, fmt::string_view format, fmt::format_args values);

/// Appends to `text` what fmt::format_to would. Each file that calls fmt::format_to with an iterator compiles all of
/// fmt's formatter anew, which takes about a second; this one is compiled once.
template <typename... Values>
void append(std::string& text, fmt::format_string<Values...> format, Values const&... values) {
  append_formatted(text, format, fmt::make_format_args(values...));
}

}  // namespace rondo
