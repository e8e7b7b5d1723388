#pragma once

// A claim with intervals in the place of numbers, for claim_search.cpp alone. An interval holds all values that
// rounding may have made of one value. So a claim is true or false only if no rounding can change that.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "run/families/claim_search.hpp"
#include "run/families/expression.hpp"
#include "run/families/expression_tree.hpp"

namespace rondo::claims {

/// All values that rounding may have made of one value. A truth is 0 or 1, or both if it is undecided.
struct Interval {
  double low = 0, high = 0;

  bool finite() const { return std::isfinite(low) && std::isfinite(high); }
  bool point() const { return low == high; }
};

/// The values that a name can have in a record. A time is never negative, and a fit is a share of the variance. A claim
/// must not count as refutable by values that no record has.
enum class Domain : std::uint8_t { real, count, truth, part, signed_real };

/// The claim, with its names and its calls along an axis as numbered variables.
class Variables {
 public:
  /// `condition` may be null. The aliases must outlive this object.
  Variables(ExpressionNode const& root, ExpressionNode const* condition, Aliases const& aliases);

  std::size_t index(ExpressionNode const& node) const { return indices_.at(text(node)); }
  std::vector<Domain> domains{};    ///< by variable
  std::vector<double> constants{};  ///< the numbers in the claim, near which it may change its truth

  static bool is_variable(ExpressionNode const& node) {
    return node.kind == ExpressionNode::Kind::name || looks_along_an_axis(node);
  }

 private:
  std::string text(ExpressionNode const& node) const;
  void collect(ExpressionNode const& node);

  Aliases const& aliases_;
  std::map<std::string, std::size_t> indices_;
};

/// Whether two sides count as equal only if they are, or also if they are as near as bisection gets.
enum class Equality : std::uint8_t { exact, near };

/// Evaluates a claim in intervals, as a record's claim is evaluated in numbers (expression.cpp).
class IntervalEvaluator {
 public:
  explicit IntervalEvaluator(Variables const& variables) : variables_(variables) {}

  /// Unset if it is undecided, or if an intermediate value is not a finite number.
  std::optional<bool> truth(ExpressionNode const& node, std::vector<double> const& values, Equality equality);
  /// Whether an intermediate value was not a finite number in the last evaluation. If so, a claim fails.
  bool was_undefined() const { return undefined_; }
  /// The difference of the two sides at these values, in the middle of their intervals; NaN if it has no value.
  double difference(ExpressionNode const& comparison, std::vector<double> const& values);

 private:
  Interval of(ExpressionNode const& node);
  Interval computed(ExpressionNode const& node);
  Interval joined(ExpressionNode const& node, Interval decides);
  Interval chosen(ExpressionNode const& node);
  bool close(Interval a, Interval b) const;
  Interval compared(std::string const& word, Interval a, Interval b) const;
  Interval near(ExpressionNode const& node);

  Variables const& variables_;
  std::vector<double> const* values_ = nullptr;
  Equality equality_ = Equality::exact;
  bool undefined_ = false;
};

}  // namespace rondo::claims
