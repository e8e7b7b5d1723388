#pragma once

// Conversion of indices. Ranks, rounds and dimensions are signed numbers, but containers have unsigned indices.

#include <cstddef>
#include <cstdint>

#include "base/ids.hpp"

namespace rondo {

/// The index in a container for a number that is not negative.
constexpr std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }
constexpr std::size_t at(Rank rank) { return at(std::int64_t{rank.value}); }

}  // namespace rondo
