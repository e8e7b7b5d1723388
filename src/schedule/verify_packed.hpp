#pragma once

// A content in one word, as a replay carries it from place to place, and what goes beside it.

#include <cstdint>
#include <limits>

#include "topology/stated_promise.hpp"

namespace rondo::verification {

/// A block by its name, or the fingerprint of a reduction. The largest words have other meanings.
using Packed = std::uint64_t;
inline constexpr Packed nothing = ~Packed{0};      ///< a slot that was never written
inline constexpr Packed unknown = ~Packed{0} - 1;  ///< what a fault that is reported has left instead of a content
/// A reduction of 2^32 - 1 contributions or more, which are no longer told apart. It is owed nowhere, and two of them
/// are never the same.
inline constexpr Packed overfull = ~Packed{0} - 2;
inline constexpr Packed joined_bit = Packed{1} << 63;
constexpr bool is_content(Packed content) { return content < unknown; }
constexpr bool is_block(Packed content) { return content < joined_bit; }
/// Whether two contents are the same, for all that is known.
constexpr bool same(Packed a, Packed b) { return a == b && a != overfull; }
constexpr Packed pack(Content content) {
  return (static_cast<Packed>(content.origin.value) << 32) | content.block.value;
}
/// The inverse of pack.
constexpr Content unpack(Packed block) {
  return {Rank(static_cast<std::int32_t>(block >> 32)), BlockId(static_cast<std::uint32_t>(block))};
}

/// How many contributions a content has, exactly; this number stands for itself and for all larger ones.
using Count = std::uint32_t;
inline constexpr Count too_many = std::numeric_limits<Count>::max();
constexpr Count sum_of_counts(Count a, Count b) { return a < too_many - b ? a + b : too_many; }

/// What a content carries where bits count or joins are logged.
struct Mark {
  std::uint64_t shape = 0;  ///< a fingerprint of the parenthesisation; 0 unless the same bits are asked for
  std::uint32_t made = 0;   ///< the number of the join that made it, where joins are logged; 0: it is a block
};

/// A content with all that goes beside it.
struct Held {
  Packed content = nothing;
  Count count = 1;
  Mark mark = {};
};

}  // namespace rondo::verification
