#pragma once

// Gives identifiers types of their own, so that the compiler refuses to mix them, and converts them to indices.
// Ranks, rounds and dimensions are signed numbers, but containers have unsigned indices.

#include <compare>
#include <cstddef>
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

/// The index in a container for a number that is not negative.
constexpr std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }
constexpr std::size_t at(Rank rank) { return at(std::int64_t{rank.value}); }

}  // namespace rondo
