#pragma once

// A content packed into one word, as a replay moves it from place to place, and the data that accompany it.

#include <cstdint>
#include <limits>

#include "topology/stated_promise.hpp"

namespace rondo::verification {

/// The name of a block, or the fingerprint of a reduction. The largest words have special meanings.
using Packed = std::uint64_t;
inline constexpr Packed nothing = ~Packed{0};      ///< a slot that was never written
inline constexpr Packed unknown = ~Packed{0} - 1;  ///< what a fault that is reported has left instead of a content
/// A reduction of 2^32 - 1 contributions or more, whose numbers are no longer told apart. No place is owed it, and two
/// of them are never equal.
inline constexpr Packed overfull = ~Packed{0} - 2;
inline constexpr Packed joined_bit = Packed{1} << 63;
/// Everything but the marks for unknown, overfull and nothing.
constexpr bool is_content(Packed content) { return content < unknown; }
/// A single block: its rank and number, without the bit of joins.
constexpr bool is_block(Packed content) { return content < joined_bit; }
/// Whether two contents are known to be the same.
constexpr bool same(Packed a, Packed b) { return a == b && a != overfull; }
/// The rank in the upper half, the number in the lower half.
constexpr Packed pack(Content content) {
  return (static_cast<Packed>(content.origin.value) << 32) | content.block.value;
}
/// The inverse of pack.
constexpr Content unpack(Packed block) {
  return {Rank(static_cast<std::int32_t>(block >> 32)), BlockId(static_cast<std::uint32_t>(block))};
}

/// The exact number of contributions of a content; `too_many` stands for itself and for all larger numbers.
using Count = std::uint32_t;
/// A count that has passed its limit.
inline constexpr Count too_many = std::numeric_limits<Count>::max();
constexpr Count sum_of_counts(Count a, Count b) { return a < too_many - b ? a + b : too_many; }

/// The data of a content that are needed if bits must agree or joins are logged.
struct Mark {
  std::uint64_t shape = 0;  ///< a fingerprint of the parenthesisation; 0 unless the same bits are asked for
  std::uint32_t made = 0;   ///< the number of the join that made it, where joins are logged; 0: it is a block
};

/// A content with all data that accompany it.
struct FullContent {
  Packed content = nothing;
  Count count = 1;
  Mark mark = {};
};

}  // namespace rondo::verification
