#pragma once

// Gives identifiers types of their own, so that the compiler refuses to mix them.

#include <compare>
#include <cstdint>
#include <functional>

namespace rondo {

/// The number of a process of the collective, 0 <= value < p.
struct Rank {
  std::int32_t value = 0;
  constexpr Rank() = default;
  constexpr explicit Rank(std::int32_t v) : value(v) {}
  friend constexpr auto operator<=>(Rank, Rank) = default;
};

/// The number of a block among those of its origin. It is 0 if a rank has one block. In an all-to-all, a scatter or a
/// reduce-scatter it is the index of the neighbor, or the rank, to which the block goes.
struct BlockId {
  std::uint32_t value = 0;
  constexpr BlockId() = default;
  constexpr explicit BlockId(std::uint32_t v) : value(v) {}
  friend constexpr auto operator<=>(BlockId, BlockId) = default;
};

}  // namespace rondo
