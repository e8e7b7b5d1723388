#pragma once

#include <concepts>
#include <string>
#include <string_view>

#include "base/append.hpp"

namespace rondo {

/// The values with that text between them, as fmt::join shows them, but a file that calls this compiles faster than one
/// that calls fmt::join.
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
