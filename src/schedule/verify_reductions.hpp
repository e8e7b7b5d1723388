#pragma once

// What a reduction is during a replay. Never the set of its contributions, of which p places would have p each, but a
// fingerprint of it in one word:
//
// - Where contributions may come in any order, the sum of a number for each, modulo the prime 2^61-1.
// - Where they come in rank order, the polynomial with these numbers as coefficients, in their order, at one point
//   modulo 2^61-1; a join of contents needs the power of the point that is as high as the second has contributions.
// - Where all ranks are to get the same bits, also a hash of the parenthesisation; operands that commute are hashed
//   without their order, as a floating-point sum of two does not depend on it.
//
// The numbers are 61 bits of a seeded mixing function of rank and block. If they are as good as random ones, a wrong
// content of n contributions passes for a right one with a probability of at most (n + 1) / (2^61 - 1), or
// 1 / (2^61 - 1) where order does not count: 2^-49 for an allreduce of 4,096 ranks. The seed is fixed, so that a
// verdict is the same in every run.

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "schedule/collective.hpp"

namespace rondo::verification {

/// A content in one word: a block by its name, or the fingerprint of a reduction. The two largest words are neither.
using Packed = std::uint64_t;
inline constexpr Packed nothing = ~Packed{0};      ///< a slot that was never written
inline constexpr Packed unknown = ~Packed{0} - 1;  ///< what a fault that is reported has left instead of a content
inline constexpr Packed joined_bit = Packed{1} << 63;
constexpr bool is_content(Packed content) { return content < unknown; }
constexpr bool is_block(Packed content) { return content < joined_bit; }
constexpr Packed pack(Content content) {
  return (static_cast<Packed>(content.origin.value) << 32) | content.block.value;
}
/// The inverse of pack.
constexpr Content unpack(Packed block) {
  return {Rank(static_cast<std::int32_t>(block >> 32)), BlockId(static_cast<std::uint32_t>(block))};
}

/// What a content carries beside its fingerprint.
struct Mark {
  std::uint64_t power = 0;  ///< the point to the number of contributions; 0 unless order counts
  std::uint64_t shape = 0;  ///< a hash of the parenthesisation; 0 unless the same bits are asked for
  std::uint32_t made = 0;   ///< the number of the join that made it, where joins are logged; 0: it is a block
};

/// Whether joins are noted by the contents that they make.
enum class Joins : std::uint8_t { fingerprinted, logged };

class Fingerprints {
 public:
  Fingerprints(ReductionRules rules, Joins joins) : rules_(rules), joins_(joins) {}

  /// Whether contents carry marks.
  bool marked() const { return rules_.ordered || rules_.same_bits || joins_ == Joins::logged; }
  ReductionRules const& rules() const { return rules_; }
  Mark mark_of(Packed block) const;
  /// left (op) right. `mark`: that of the result, if contents carry marks.
  Packed join(Packed left, Packed right, Mark const& of_left, Mark const& of_right, Mark& mark) const;
  /// What lies in a slot that holds what it is owed; `nothing` if it is nobody's. Slots of one rank after the other, as
  /// a scan of p ranks would take p^2 steps in another order.
  Packed owed(Owed const& owed);

 private:
  struct Sum {
    std::int32_t last = 0;
    std::uint64_t value = 0;
  };
  std::uint64_t value(Packed content) const;
  std::uint64_t append(std::uint64_t value, Packed block) const;

  ReductionRules rules_;
  Joins joins_;
  std::unordered_map<std::uint64_t, Sum> ranges_;  ///< by block and first rank: the longest range so far
};

/// The joins of a replay: by which of them a content came to be, and so which contributions a fingerprint stands for.
/// Only where that is in doubt.
class JoinLog {
 public:
  struct Part {
    Packed content;
    std::uint32_t made;  ///< see Mark::made
  };
  struct Join {
    Part left, right;
    Rank rank;
    int round = 0;
  };

  /// Its number, from 1.
  std::uint32_t note(Packed result, Join const& join);
  bool knows(Packed content) const { return is_block(content) || numbers_.count(content) > 0; }
  /// A content as it was first made.
  Part part(Packed content) const { return {content, is_block(content) ? 0 : numbers_.at(content)}; }

  /// How often each contribution enters, by rank and block.
  std::map<Content, std::int64_t> contributions(Part const& content) const;
  /// The first join in the making of a content by which a contribution enters more often than that; 0 if none.
  std::uint32_t first_excess(Part const& content, Content contribution, std::int64_t most) const;
  /// The first join in the making of a content of which all contributions enter once, whose right side does not begin
  /// behind the end of its left side, in the order of what is owed; 0 if there is none.
  std::uint32_t first_disorder(Part const& content, Owed const& owed) const;
  Join const& join(std::uint32_t number) const { return joins_[number - 1]; }
  /// The contribution that stands first in a content.
  Content first(Part content) const;

 private:
  /// The joins that a content is made by, as numbers, the last one first.
  std::vector<std::uint32_t> making(Part const& content) const;

  std::vector<Join> joins_;
  std::unordered_map<Packed, std::uint32_t> numbers_;  ///< by result, the first one
};

}  // namespace rondo::verification
