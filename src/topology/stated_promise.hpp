#pragma once

// What ranks hold before a collective and are owed after it, said slot by slot: the vocabulary of all promises
// (schedule/collective.hpp), and a promise that is written out.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/ids.hpp"

namespace rondo {

/// A block by its name: the rank it comes from and which of that rank's blocks it is.
struct Content {
  Rank origin;
  BlockId block;
  friend constexpr auto operator<=>(Content const&, Content const&) = default;
};

/// What must lie in a receive slot at the end: one block as these ranks contribute to it, joined.
struct Owed {
  BlockId block;
  std::int32_t first = 0, last = 0;  ///< the ranks [first, last), each once
  /// Not empty: these ranks instead, in this order where order counts; a rank that is here twice enters twice.
  std::vector<Rank> listed = {};

  Owed() = default;  ///< the slot is nobody's
  Owed(BlockId of, std::int32_t from, std::int32_t to) : block(of), first(from), last(to) {}
  Owed(BlockId of, std::vector<Rank> from) : block(of), listed(std::move(from)) {}
  Owed(Content const& whole) : Owed(whole.block, whole.origin.value, whole.origin.value + 1) {}  // NOLINT: it is one

  std::size_t contributions() const { return listed.empty() ? static_cast<std::size_t>(last - first) : listed.size(); }
  bool nobodys() const { return contributions() == 0; }
  /// The contribution number i < contributions().
  Content contribution(std::size_t i) const {
    return {listed.empty() ? Rank(first + static_cast<std::int32_t>(i)) : listed[i], block};
  }
  /// The block of the only rank; unset if it is nobody's or of several ranks.
  std::optional<Content> whole() const { return contributions() == 1 ? std::optional(contribution(0)) : std::nullopt; }
};

/// What a promise asks of reductions beyond that every contribution enters once.
struct ReductionRules {
  bool ordered = false;    ///< the operator need not commute: contributions are joined in the order of Owed
  bool same_bits = false;  ///< all ranks that are owed the same get it by the same parenthesisation
  /// A contribution that enters several times does no harm, as in a barrier; never beside one of the others.
  bool idempotent = false;
};

/// A promise said slot by slot.
struct StatedPromise {
  std::vector<std::vector<Content>> held;  ///< by rank, by send slot
  std::vector<std::vector<Owed>> owed;     ///< by rank, by receive slot
  ReductionRules rules = {};
};

}  // namespace rondo
