#pragma once

// Joins values to a list for a message.

#include <concepts>
#include <string>
#include <string_view>

#include "base/append.hpp"

namespace rondo {

/// Joins the values with the text `between` them; an empty range gives an empty text. The text is the same as that of
/// fmt::join, but files that call this function compile faster.
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

}  // namespace rondo
