#pragma once

// The representation of reductions during a replay. A set of contributions would take p entries in each of p places.
// Instead a reduction is represented by the number of its contributions and by a fingerprint of them in one word.
//
// 1. Contributions are counted, exactly up to 2^32 - 2. A content of more is `overfull`: it is right nowhere. So no
//    contribution of any other content enters as often as the prime has it, and nothing below wraps around.
// 2. Each block has a weight: a product of two numbers, or of four where numbers of ranks or blocks pass 65,535, that
//    are drawn below the prime P = 2^61 - 1 (verify_weights.hpp).
// 3. Where contributions may come in any order, the fingerprint is the sum of their weights modulo P.
// 4. Where they come in rank order, it is the polynomial with these weights as coefficients, in their order, at a point
//    that is drawn as well.
// 5. Where all ranks are to get the same bits, the parenthesisation has a fingerprint of its own. That of a block is
//    its weight. That of a join of n contributions is (x(n) + left) * (x(n) + right), and (x(n) + left) * (y(n) +
//    right) where the order counts, with drawn numbers x(n) and y(n): a floating-point sum of two does not depend on
//    their order.
//
// All of these are values of polynomials in what was drawn. Different contents have different polynomials: their
// coefficients are counts, of which none reaches P, and the products that are weights are all different. Different
// parenthesisations of one content have different polynomials too: neither `left` nor `right` has x(n) in it, as both
// have fewer contributions than n, so the product falls into its two factors in one way alone. Two different
// polynomials of degree d have the same value with a probability of at most d / P [Schwartz80, Zippel79], however they
// were chosen, as long as it was without knowledge of what is drawn. The degree is at most 4 for sums, n + 3 for
// contents in order and 4 n for parenthesisations of n contributions, and half of the 4 is enough up to 65,536 ranks
// and blocks: there a wrong sum passes with a probability below 2^-59, and on 4,096 ranks a wrong order with one below
// 2^-48 and wrong bits with one below 2^-47. A wrong schedule has a wrong place whatever is drawn, so this bounds
// the whole proof. What is drawn reaches no output: a verdict is the same in every run but for that probability.

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "schedule/collective.hpp"
#include "schedule/verify_weights.hpp"

namespace rondo::verification {

/// Whether anything is joined, and whether joins are noted by the contents that they make.
enum class Joins : std::uint8_t { none, fingerprinted, logged };

/// Computes the fingerprints of contents.
class Fingerprints {
 public:
  Fingerprints(Collective const& collective, Joins joins)
      : rules_(reduction_rules(collective)), longest_(longest_reduction(collective)), joins_(joins) {}

  /// Whether contents carry counts.
  bool counted() const { return joins_ != Joins::none; }
  /// Whether contents carry marks.
  bool marked() const { return joins_ == Joins::logged || (counted() && rules_.same_bits); }
  ReductionRules const& rules() const { return rules_; }
  Mark mark_of(Packed block) { return {rules_.same_bits ? weights_.of(block) : 0}; }
  /// The result of left (op) right; its `made` (the number of the join) stays 0.
  FullContent join(FullContent const& left, FullContent const& right);
  /// The content of a slot that holds what it is owed; `nothing` if nothing is owed.
  Packed owed(Owed const& owed);

 private:
  std::uint64_t value(Packed content) { return is_block(content) ? weights_.of(content) : content & ~joined_bit; }
  std::uint64_t append(std::uint64_t value, std::uint64_t next) {
    return sum(rules_.ordered ? product(value, powers_[1]) : value, next);
  }
  std::uint64_t shape(FullContent const& left, FullContent const& right, Count count);
  std::uint64_t owed_range(std::size_t first, std::size_t last);

  /// Consecutive ranks.
  struct Range {
    std::size_t first = 0, last = 0;
    std::uint64_t value = 0;
  };

  ReductionRules rules_;
  std::size_t longest_;  ///< no reduction that is owed has more contributions
  Joins joins_;
  Weights weights_;
  Powers powers_;
  RandomSequence left_, right_;          ///< by the contributions of a join, see 5. above
  std::vector<std::uint64_t> up_to_{0};  ///< the fingerprints of the ranks before each one, for a block of weight 1
  Range range_;                          ///< the last one that was asked for, as most slots are owed the same ranks
};

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
  bool knows(Packed content) const { return is_block(content) || numbers_.count(content) > 0; }
  /// A content as it was first made.
  Part part(Packed content) const { return {content, is_block(content) ? 0 : numbers_.at(content)}; }

  /// How often each contribution enters a content, by rank and block.
  std::map<Content, std::int64_t> contributions(Part const& content) const;
  /// The first join in the making of a content by which the contribution enters more often than `most`; 0 if there is
  /// none.
  std::uint32_t first_excess(Part const& content, Content contribution, std::int64_t most) const;
  /// For a content into which every contribution enters once: the first join in its making whose right side begins, in
  /// the order of what is owed, before the end of its left side; 0 if there is none.
  std::uint32_t first_disorder(Part const& content, Owed const& owed) const;
  Join const& join(std::uint32_t number) const { return joins_[number - 1]; }
  /// The first contribution of a content.
  Content first(Part content) const;

 private:
  /// The numbers of the joins that made a content, the last join first.
  std::vector<std::uint32_t> making(Part const& content) const;

  std::vector<Join> joins_;
  std::unordered_map<Packed, std::uint32_t> numbers_;  ///< by result, the first one
};

}  // namespace rondo::verification
