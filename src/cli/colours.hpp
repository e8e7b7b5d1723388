#pragma once

// The colours of verdicts on standard output, if it is a terminal and the user has not switched them off.

#include <cstdint>
#include <string>
#include <string_view>

namespace rondo::cli {

enum class Colour : std::uint8_t { green, yellow, red };

/// Whether --color asks for colours. "auto" does if standard output is a terminal, and NO_COLOR and TERM=dumb are
/// absent (no-color.org).
bool colours_wanted(std::string_view color);

/// The text in this colour; its number of visible characters does not change.
std::string coloured(std::string_view text, Colour colour);

}  // namespace rondo::cli
