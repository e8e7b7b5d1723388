#pragma once

// Identifiers as types of their own, so that the compiler refuses to mix them.

#include <compare>
#include <cstdint>
#include <functional>

namespace rondo {

/// A process of the collective, 0 <= value < p.
struct Rank {
  std::int32_t value = 0;
  constexpr Rank() = default;
  constexpr explicit Rank(std::int32_t v) : value(v) {}
  friend constexpr auto operator<=>(Rank, Rank) = default;
};

/// The number of a block among those of its origin: the index of the neighbor to which it goes (all-to-all), or 0 if a
/// rank has one block.
struct BlockId {
  std::uint32_t value = 0;
  constexpr BlockId() = default;
  constexpr explicit BlockId(std::uint32_t v) : value(v) {}
  friend constexpr auto operator<=>(BlockId, BlockId) = default;
};

}  // namespace rondo
