#pragma once

// Represents reductions during a replay. A set of contributions would take p entries in each of p places. Instead a
// reduction is represented by the number of its contributions and by a fingerprint of them in one word.
//
// 1. Contributions are counted exactly up to 2^32 - 2. A content with more contributions is `overfull`, which is
// correct in no place. So no contribution enters any other content P times or more (P is the prime below), and no count
// wraps around modulo P.
// 2. Each block has a weight. It is a product of two random numbers below the prime P = 2^61 - 1, or of four if numbers
// of ranks or blocks exceed 65,535 (verify_weights.hpp).
// 3. If contributions may come in any order, the fingerprint is the sum of their weights modulo P.
// 4. If they must come in rank order, the fingerprint is the value of a polynomial at a random point. Its coefficients
// are the weights in their order.
// 5. If all ranks must get the same bits, the parenthesisation has a fingerprint of its own. The fingerprint of a block
// is its weight. The fingerprint of a join of n contributions is (x(n) + left) * (x(n) + right) with a random number
// x(n), because a floating-point sum of two operands does not depend on their order. If the order counts, it is (x(n) +
// left) * (y(n) + right) with another random number y(n).
//
// All fingerprints are values of polynomials in the random numbers. Different contents have different polynomials: the
// coefficients are counts, none of which reaches P, and the products that are weights are all different. Different
// parenthesisations of one content have different polynomials, too. Neither `left` nor `right` contains x(n), because
// both have fewer than n contributions. So the product has only one factorization of this form.
//
// Two different polynomials of degree d have the same value with a probability of at most d / P [Schwartz80, Zippel79],
// if they were chosen without knowledge of the random numbers. The degree is at most 4 for sums, n + 3 for contents in
// order, and 4 n for parenthesisations of n contributions. Up to 65,536 ranks and blocks a weight is a product of two
// numbers, and both 4 become 2. There a wrong sum passes with a probability below 2^-59; on 4,096 ranks a wrong order
// passes with a probability below 2^-48, and wrong bits with a probability below 2^-47. A wrong schedule has a wrong
// place whatever the random numbers are, so this bounds the error of the whole proof. The random numbers are never
// printed. A verdict is the same in every run except with that probability.

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "schedule/collective.hpp"
#include "schedule/verify_weights.hpp"

namespace rondo::verification {

/// How a replay represents joins.
enum class Joins : std::uint8_t {
  none,           ///< the schedule joins nothing
  fingerprinted,  ///< by count and fingerprint
  logged          ///< also in a JoinLog
};

/// Computes the fingerprints of contents.
class Fingerprints {
 public:
  Fingerprints(Collective const& collective, Joins joins)
      : rules_(reduction_rules(collective)), longest_(longest_reduction(collective)), joins_(joins) {}

  /// Tells whether contents carry counts.
  bool counted() const { return joins_ != Joins::none; }
  /// Tells whether contents carry marks.
  bool marked() const { return joins_ == Joins::logged || (counted() && rules_.same_bits); }
  ReductionRules const& rules() const { return rules_; }
  /// Returns the mark of a block that was not joined.
  Mark mark_of(Packed block) { return {rules_.same_bits ? weights_.of(block) : 0}; }
  /// Returns the result of left (op) right; its `made` (the number of the join) stays 0. It is overfull if its
  /// contributions are too many.
  FullContent join(FullContent const& left, FullContent const& right);
  /// Returns the content of a slot that holds exactly what the promise owes it; `nothing` if nothing is owed.
  Packed owed(Owed const& owed);

 private:
  /// Returns the fingerprint of a content.
  std::uint64_t value(Packed content) { return is_block(content) ? weights_.of(content) : content & ~joined_bit; }
  /// Returns the fingerprint of contributions with the fingerprint `value` and one more, of weight `next`, after them.
  std::uint64_t append(std::uint64_t value, std::uint64_t next) {
    return sum(rules_.ordered ? product(value, powers_[1]) : value, next);
  }
  /// Returns the fingerprint of the parenthesisation of a join with `count` contributions; 0 if no reduction that is
  /// owed has so many.
  std::uint64_t shape(FullContent const& left, FullContent const& right, Count count);
  /// Returns the fingerprint of the contributions of the ranks `first` to `last` - 1, for a block of weight 1.
  std::uint64_t owed_range(std::size_t first, std::size_t last);

  /// The ranks `first` to `last` - 1, and the fingerprint of their contributions.
  struct Range {
    std::size_t first = 0, last = 0;
    std::uint64_t value = 0;
  };

  ReductionRules rules_;
  std::size_t longest_;  ///< no reduction that is owed has more contributions
  Joins joins_;
  Weights weights_;
  Powers powers_;                        ///< of the random point in 4. above
  RandomSequence left_, right_;          ///< x and y of 5. above, by the number of contributions of a join
  std::vector<std::uint64_t> up_to_{0};  ///< the fingerprints of the ranks before each one, for a block of weight 1
  Range range_;                          ///< the last one that was computed; most slots are owed the same ranks
};

/// How often each contribution enters a content, or is owed.
using Counts = std::map<Content, std::int64_t>;

/// Returns the contributions that are owed.
Counts contributions_of(Owed const& owed);

/// The differences between the contributions that entered a content and those that are owed.
struct Differences {
  std::vector<Content> missing;  ///< did not enter, or not often enough
  std::vector<Content> foreign;  ///< entered, but are not owed
  std::vector<Content> doubled;  ///< entered too often
};
/// Compares both. In an idempotent reduction a contribution may enter any number of times.
Differences differences(Counts const& owed, Counts const& entered, bool idempotent);

/// Logs the joins of a replay, so that one can tell which contributions a fingerprint stands for. It is kept only if
/// there is doubt about a reduction, because it needs much memory.
class JoinLog {
 public:
  /// A content, and the join that made it; 0 for a block.
  struct Part {
    Packed content;
    std::uint32_t made;  ///< see Mark::made
  };
  /// Both operands, and where and when they were joined.
  struct Join {
    Part left, right;
    Rank rank;
    int round = 0;
  };

  /// Notes a join, and returns its number, counted from 1.
  std::uint32_t note(Packed result, Join const& join);
  /// Tells whether the content is a block, or the result of a join that was noted.
  bool knows(Packed content) const { return is_block(content) || numbers_.count(content) > 0; }
  /// Returns a content, and the join that made it first. The log must know the content.
  Part part(Packed content) const { return {content, is_block(content) ? 0 : numbers_.at(content)}; }

  /// Counts how often each contribution enters a content, by rank and block.
  Counts contributions(Part const& content) const;
  /// Finds the first join in the making of a content by which the contribution enters more often than `most`; 0 if
  /// there is none.
  std::uint32_t first_excess(Part const& content, Content contribution, std::int64_t most) const;
  /// Finds the first join in the making of a content whose right side begins, in the owed order, before the end of its
  /// left side; 0 if there is none. Every contribution must enter the content once.
  std::uint32_t first_disorder(Part const& content, Owed const& owed) const;
  Join const& join(std::uint32_t number) const { return joins_[number - 1]; }
  /// Finds the first contribution of a content.
  Content first(Part content) const;

 private:
  /// Returns the numbers of the joins that made a content, the last join first.
  std::vector<std::uint32_t> making(Part const& content) const;

  std::vector<Join> joins_;
  std::unordered_map<Packed, std::uint32_t> numbers_;  ///< by result, the first one
};

}  // namespace rondo::verification
