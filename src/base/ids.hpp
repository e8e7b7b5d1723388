#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace rondo {

/// A process of the collective, 0 <= value < p. Ranks, hosts and blocks never mix.
struct Rank {
  std::int32_t value = 0;
  constexpr Rank() = default;
  constexpr explicit Rank(std::int32_t v) : value(v) {}
  friend constexpr auto operator<=>(Rank, Rank) = default;
};

/// A block among those of its origin: the index of the neighbor it goes to (all-to-all), 0 where a rank owns one block.
struct BlockId {
  std::uint32_t value = 0;
  constexpr BlockId() = default;
  constexpr explicit BlockId(std::uint32_t v) : value(v) {}
  friend constexpr auto operator<=>(BlockId, BlockId) = default;
};

}  // namespace rondo
