// Searches values for which a claim is false. Random draws find most of them. A claim may also fail only where two
// sides are equal; bisection finds such values. Claims are evaluated in intervals (claim_intervals.hpp), so that
// rounding cannot decide.

#include "run/families/claim_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "run/families/claim_intervals.hpp"

namespace rondo {
namespace {

using claims::Domain;
using claims::Equality;
using Node = ExpressionNode;
using Kind = Node::Kind;

/// Draws values of the variables until the claim fails. Most claims that can fail do so within a few draws. Random
/// values almost never make two sides equal, so equality is searched by bisection.
class Search {
 public:
  /// Keeps references to the claim and the condition.
  Search(Node const& claim, Node const* condition, Aliases const& aliases)
      : claim_(claim), condition_(condition), variables_(claim, condition, aliases), evaluator_(variables_) {
    for (double const each : variables_.constants) {
      for (double const near : {each, each + 1, each - 1, each / 2, each * 2, -each}) special_.push_back(near);
    }
  }

  /// Whether some draw, or a bisection, makes the claim false, or no draw gives it a value.
  bool finds_a_failure() {
    constexpr int most_draws = 4000;
    bool defined = false;
    for (int i = 0; i < most_draws; ++i) {
      if (fails(drawn(i), Equality::exact)) return true;
      defined = defined || !evaluator_.was_undefined();
    }
    // A claim that never has a value, such as x/0 == 1, fails wherever it is judged.
    return !defined || fails_where_sides_are_equal(claim_);
  }

  /// The same for a claim with a condition, which is judged only if the condition holds. Also true if the condition
  /// holds in too few draws.
  bool finds_a_failure_where_it_is_judged() {
    constexpr int most_draws = 10000, enough = 400;
    // If the condition holds in too few draws, nothing is known, and the claim passes as one that may fail.
    int judged = 0;
    for (int i = 0; i < most_draws; ++i) {
      std::vector<double> const values = drawn(i);
      if (fails(values, Equality::exact)) return true;
      judged += is_judged(values, Equality::exact) && !evaluator_.was_undefined() ? 1 : 0;
    }
    return judged < enough || fails_where_sides_are_equal(claim_) || fails_where_sides_are_equal(*condition_);
  }

 private:
  /// Whether the condition is true for these values, or there is none.
  bool is_judged(std::vector<double> const& values, Equality equality) {
    return condition_ == nullptr || evaluator_.truth(*condition_, values, equality) == true;
  }
  /// Whether the claim is judged and false for these values.
  bool fails(std::vector<double> const& values, Equality equality) {
    return is_judged(values, equality) && evaluator_.truth(claim_, values, equality) == false;
  }

  /// The number of a draw decides what kind of values it has, so that all kinds occur among few draws.
  std::vector<double> drawn(int number) {
    std::vector<double> values;
    // In every seventh draw all variables are equal, because claims often compare two of them.
    bool const one_value = number % 7 == 3;
    double const shared = value(number);
    for (Domain const domain : variables_.domains) values.push_back(into(domain, one_value ? shared : value(number)));
    return values;
  }

  /// A value with a random sign, whose size has the order of counts, of times or of any double, as `number` modulo 4
  /// says; or a special value.
  double value(int number) {
    static constexpr std::array<std::pair<double, double>, 4> spans = {
        {{-1.0, 1.0}, {-2.0, 4.0}, {-12.0, 12.0}, {-150.0, 150.0}}};
    if (special_.size() > 0 && number % 3 == 1 && random_() % 2 == 0) return special_[random_() % special_.size()];
    auto const [low, high] = spans[static_cast<std::size_t>(number) % spans.size()];
    double const size = std::pow(10.0, std::uniform_real_distribution(low, high)(random_));
    return random_() % 2 == 0 ? size : -size;
  }

  /// Moves a value into the range of its variable.
  double into(Domain domain, double value) {
    switch (domain) {
      case Domain::truth:
        return static_cast<double>(random_() % 2);
      case Domain::part: {
        double const part = std::abs(value);
        return part <= 1 ? part : std::min(1.0, 1 / part);  // keeps large draws distinct
      }
      case Domain::count:
        return std::round(std::min(std::abs(value), 0x1p52));
      case Domain::signed_real:
        return value;
      case Domain::real:
        break;
    }
    return std::abs(value);
  }

  /// Whether the claim fails where the sides of some comparison in this part of it, or of the condition, are equal.
  bool fails_where_sides_are_equal(Node const& node) {
    if (node.kind == Kind::comparison && fails_at_root(node)) return true;
    return std::any_of(node.parts.begin(), node.parts.end(),
                       [&](Node const& part) { return fails_where_sides_are_equal(part); });
  }
  /// Bisects between two draws at which the difference of the sides has opposite signs. Where they meet, the claim is
  /// evaluated. Tries several pairs of draws.
  bool fails_at_root(Node const& comparison) {
    for (int i = 0; i < 40; ++i) {
      // These numbers are multiples of 4, so the draws have moderate sizes.
      std::vector<double> below = drawn(4 * i), above = drawn(4 * i + 12);
      double const first = evaluator_.difference(comparison, below), last = evaluator_.difference(comparison, above);
      if (std::isnan(first) || std::isnan(last) || (first < 0) == (last < 0)) continue;
      // 100 halvings reach neighboring doubles. Counts and truths keep their values, which have none between.
      for (int step = 0; step < 100; ++step) {
        std::vector<double> middle(below.size());
        for (std::size_t v = 0; v < middle.size(); ++v) {
          bool const whole = variables_.domains[v] == Domain::count || variables_.domains[v] == Domain::truth;
          middle[v] = whole ? below[v] : (below[v] + above[v]) / 2;
        }
        ((evaluator_.difference(comparison, middle) < 0) == (first < 0) ? below : above) = middle;
      }
      if (fails(above, Equality::near)) return true;
    }
    return false;
  }

  Node const& claim_;
  Node const* condition_;  ///< null: the claim is judged everywhere
  claims::Variables const variables_;
  claims::IntervalEvaluator evaluator_;
  /// Values that occur often, and in the constructor those near the constants of the claim.
  std::vector<double> special_{0, 1, 2, 3, 0.5, 1e-9, 1e300};
  std::mt19937_64 random_{1};
};

}  // namespace

bool may_fail(ExpressionNode const& claim, Aliases const& aliases) {
  return Search(claim, nullptr, aliases).finds_a_failure();
}

bool may_fail_where(ExpressionNode const& condition, ExpressionNode const& claim, Aliases const& aliases) {
  return Search(claim, &condition, aliases).finds_a_failure_where_it_is_judged();
}

}  // namespace rondo
