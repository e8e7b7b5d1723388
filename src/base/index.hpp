#pragma once

// Ranks, rounds and dimensions are signed numbers; containers count without sign.

#include <cstddef>
#include <cstdint>

#include "base/ids.hpp"

namespace rondo {

/// The place of what is not negative in a container.
constexpr std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }
constexpr std::size_t at(Rank rank) { return at(std::int64_t{rank.value}); }

}  // namespace rondo
