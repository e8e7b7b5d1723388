#pragma once

// The data that ranks hold before a collective and that are owed to them after it, slot by slot. All promises use these
// types (schedule/collective.hpp); a StatedPromise is one that is written out.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/ids.hpp"

namespace rondo {

/// The name of a block: the rank from which it comes, and its number among the blocks of that rank.
struct Content {
  Rank origin;
  BlockId block;
  friend constexpr auto operator<=>(Content const&, Content const&) = default;
};

/// The content that a receive slot must have at the end: a block, joined over the contributions of some ranks.
struct Owed {
  BlockId block;
  std::int32_t first = 0, last = 0;  ///< the ranks [first, last) contribute, each once
  /// If it is not empty, these ranks contribute instead, in this order if order matters. A rank that is listed twice
  /// contributes twice.
  std::vector<Rank> listed = {};

  Owed() = default;  ///< nothing is owed in this slot
  Owed(BlockId of, std::int32_t from, std::int32_t to) : block(of), first(from), last(to) {}
  Owed(BlockId of, std::vector<Rank> from) : block(of), listed(std::move(from)) {}
  Owed(Content const& whole) : Owed(whole.block, whole.origin.value, whole.origin.value + 1) {}  // NOLINT: it is one

  std::size_t contributions() const { return listed.empty() ? static_cast<std::size_t>(last - first) : listed.size(); }
  bool nobodys() const { return contributions() == 0; }
  /// The contribution number i < contributions().
  Content contribution(std::size_t i) const {
    return {listed.empty() ? Rank(first + static_cast<std::int32_t>(i)) : listed[i], block};
  }
  /// The block, if it has a single contribution; unset if nothing is owed or if several ranks contribute.
  std::optional<Content> whole() const { return contributions() == 1 ? std::optional(contribution(0)) : std::nullopt; }
};

/// The requirements on reductions, in addition to every contribution entering once.
struct ReductionRules {
  bool ordered = false;    ///< the operator may not commute: contributions must be joined in the order of Owed
  bool same_bits = false;  ///< all ranks with the same result must compute it with the same parenthesization
  /// A contribution may enter several times, as in a barrier. Never combined with the other two.
  bool idempotent = false;
};

/// A promise that is written out slot by slot.
struct StatedPromise {
  std::vector<std::vector<Content>> held;  ///< by rank, by send slot
  std::vector<std::vector<Owed>> owed;     ///< by rank, by receive slot
  ReductionRules rules = {};
};

}  // namespace rondo
