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

/// The number of a block among the blocks of its origin. If a rank has one block, the number is 0. In an all-to-all, a
/// scatter or a reduce-scatter, the number is the rank, or the index of the neighbor, to which the block goes.
struct BlockId {
  std::uint32_t value = 0;
  constexpr BlockId() = default;
  constexpr explicit BlockId(std::uint32_t v) : value(v) {}
  friend constexpr auto operator<=>(BlockId, BlockId) = default;
};

}  // namespace rondo
