#pragma once

// Percentages of options, such as --tolerance 2%.

#include <string_view>

namespace rondo {

/// Reads "2%" or "0.5%" as a fraction of 1: a decimal number from 0 to 100. Throws InputError that says what is
/// accepted.
double parse_percent(std::string_view text);

}  // namespace rondo
