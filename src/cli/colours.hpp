#pragma once

// Colours of verdicts on standard output, where a terminal shows them and the user has not forbidden them.

#include <cstdint>
#include <string>
#include <string_view>

namespace rondo::cli {

enum class Colour : std::uint8_t { green, yellow, red };

/// What --color says: "auto" asks for a terminal, and for NO_COLOR and TERM=dumb to be absent (no-color.org).
bool colours_wanted(std::string_view color);

/// The text in that colour, of as many visible characters as before.
std::string coloured(std::string_view text, Colour colour);

}  // namespace rondo::cli
