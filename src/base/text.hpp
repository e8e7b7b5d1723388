#pragma once

// Builds texts from values: formatted text appended to a string, and lists for messages. These functions replace
// fmt::format_to and fmt::join, so that fmt's formatter is not compiled in every file.

#include <fmt/format.h>

#include <concepts>
#include <string>
#include <string_view>

namespace rondo {

void append_formatted(std::string& text, fmt::string_view format, fmt::format_args values);

/// Appends the text that fmt::format_to would produce. Each file that calls fmt::format_to with an iterator compiles
/// the whole formatter of fmt again, which takes about a second; this function is compiled once.
template <typename... Values>
void append(std::string& text, fmt::format_string<Values...> format, Values const&... values) {
  append_formatted(text, format, fmt::make_format_args(values...));
}

/// Joins the values and puts `between` in between. An empty range gives an empty text. fmt::join gives the same text,
/// but files that call this function compile faster.
template <typename Range>
std::string listed(Range const& values, std::string_view between) {
  std::string text;
  bool first = true;
  for (auto const& value : values) {
    if (!first) text += between;
    first = false;
    if constexpr (std::convertible_to<decltype(value), std::string_view>) {
      text += std::string_view(value);
    } else {
      append(text, "{}", value);
    }
  }
  return text;
}

/// The text without the blanks (spaces, tabs and carriage returns) at its ends.
std::string trimmed(std::string_view text);

/// "1 send", "2 sends". `plural` is the word for several, if it is not the noun with an s.
template <std::integral Number>
std::string counted(Number number, std::string_view noun, std::string_view plural = "") {
  std::string text = std::to_string(number) + " ";
  text += number == 1 || plural.empty() ? noun : plural;
  return number == 1 || !plural.empty() ? text : text + "s";
}

}  // namespace rondo
