#pragma once

// Times for each byte, as LogGP has them, in text.

#include <string_view>

#include "base/units.hpp"

namespace rondo {

/// Reads "6ns/B": a time as parse_seconds reads it, for each byte. Throws InputError that says what is accepted.
Seconds parse_seconds_per_byte(std::string_view text);

}  // namespace rondo
