#include "run/families/claim_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "run/families/claim_draws.hpp"
#include "run/families/expression.hpp"

namespace rondo {
namespace {

using Node = ExpressionNode;
using Kind = Node::Kind;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// All values that rounding may have made of one value. A truth is 0 or 1, or both if it is undecided.
struct Interval {
  double low = 0, high = 0;

  bool finite() const { return std::isfinite(low) && std::isfinite(high); }
  bool point() const { return low == high; }
};

/// The interval after one more rounding.
Interval rounded(double low, double high) {
  // Four units in the last place: twice what log2 or pow may be off in the C library. Whole numbers below 2^52 are
  // exact.
  constexpr double unit = 4 * std::numeric_limits<double>::epsilon();
  auto const wider = [](double value) {
    return value == 0 || (value == std::round(value) && std::abs(value) < 0x1p52);
  };
  return {wider(low) ? low : low - unit * std::abs(low), wider(high) ? high : high + unit * std::abs(high)};
}
/// The interval of the results at the ends of the operands, where a monotone function has its extremes.
Interval around(std::initializer_list<double> values) {
  if (std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); })) {
    return {-infinity, infinity};
  }
  return rounded(std::min(values), std::max(values));
}

/// The values that a name can have in a record. A time is never negative, and a fit is a share of the variance. A claim
/// must not count as refutable by values that no record has.
enum class Domain : std::uint8_t { real, count, truth, part, signed_real };

Domain domain_of(std::string const& name) {
  static std::set<std::string> const counts{"rounds",
                                            "messages",
                                            "bytes",
                                            "violations",
                                            "theory_rounds",
                                            "theory_messages",
                                            "bound_rounds",
                                            "bound_messages",
                                            "p",
                                            "s",
                                            "D",
                                            "d",
                                            "m",
                                            "senders",
                                            "receivers"};
  if (is_true_or_false(name)) return Domain::truth;
  if (name.starts_with("fit(")) return Domain::part;
  if (name.starts_with("slope(") || name.starts_with("exponent(")) return Domain::signed_real;
  std::size_t const dot = name.find('.');
  return counts.contains(dot == std::string::npos ? name : name.substr(dot + 1)) ? Domain::count : Domain::real;
}

/// The claim, with its names and its calls along an axis as numbered variables.
class Variables {
 public:
  Variables(Node const& root, Node const* condition, Aliases const& aliases) : aliases_(aliases) {
    collect(root);
    if (condition != nullptr) collect(*condition);
  }

  std::size_t index(Node const& node) const { return indices_.at(text(node)); }
  std::vector<Domain> domains{};
  std::vector<double> constants{};

  static bool is_variable(Node const& node) { return node.kind == Kind::name || looks_along_an_axis(node); }

 private:
  /// The text that stands for a variable. Two names of one field are the same variable, so `time == time_s` cannot
  /// fail.
  std::string text(Node const& node) const {
    if (node.kind == Kind::name) {
      std::size_t const dot = node.word.find('.');
      auto const other = dot == std::string::npos ? aliases_.end() : aliases_.find(node.word.substr(dot + 1));
      return other == aliases_.end() ? node.word : node.word.substr(0, dot + 1) + other->second;
    }
    if (node.parts.empty()) return std::string(node.text);
    std::string all = node.word + "(";
    for (Node const& part : node.parts) all += text(part) + ",";
    return all + ")";
  }

  void collect(Node const& node) {
    if (is_variable(node)) {
      auto const [place, is_new] = indices_.emplace(text(node), domains.size());
      if (is_new) domains.push_back(domain_of(place->first));
      return;
    }
    // Claims change their truth near their constants, so values near these are drawn too.
    if (node.kind == Kind::number) constants.push_back(node.value);
    for (Node const& part : node.parts) collect(part);
  }

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
  std::optional<bool> truth(Node const& node, std::vector<double> const& values, Equality equality) {
    values_ = &values;
    equality_ = equality;
    undefined_ = false;
    Interval const result = of(node);
    if (undefined_ || !result.point()) return std::nullopt;
    return result.low != 0;
  }
  /// Whether an intermediate value was not a finite number in the last evaluation. If so, a claim fails.
  bool was_undefined() const { return undefined_; }
  double difference(Node const& comparison, std::vector<double> const& values) {
    values_ = &values;
    undefined_ = false;
    Interval const a = of(comparison.parts[0]), b = of(comparison.parts[1]);
    return undefined_ ? std::nan("") : (a.low + a.high) / 2 - (b.low + b.high) / 2;
  }

 private:
  static constexpr Interval no{0, 0}, yes{1, 1}, open{0, 1};

  Interval of(Node const& node) {
    Interval const result = computed(node);
    if (!result.finite()) undefined_ = true;
    return result;
  }

  Interval computed(Node const& node) {
    if (Variables::is_variable(node)) {
      double const value = (*values_)[variables_.index(node)];
      return {value, value};
    }
    switch (node.kind) {
      case Kind::number:
        return {node.value, node.value};
      case Kind::comparison:
        return compared(node.word, of(node.parts[0]), of(node.parts[1]));
      case Kind::near:
        return near(node);
      case Kind::conjunction:
        return joined(node, no);
      case Kind::disjunction:
        return joined(node, yes);
      case Kind::negation: {
        Interval const truth = of(node.parts[0]);
        return {1 - truth.high, 1 - truth.low};
      }
      case Kind::conditional:
        return chosen(node);
      case Kind::arithmetic:
      case Kind::name:
        break;
    }
    // All parts are computed, because one that is no finite number makes the claim fail wherever it stands.
    std::vector<Interval> parts;
    for (Node const& part : node.parts) parts.push_back(of(part));
    return undefined_ ? Interval{0, infinity} : arithmetic(node.word, parts);
  }

  /// `decides` is the truth of a part that alone decides the truth of the whole.
  Interval joined(Node const& node, Interval decides) {
    bool is_open = false;
    for (Node const& part : node.parts) {
      Interval const truth = of(part);
      if (truth.point() && truth.low == decides.low) return decides;
      is_open = is_open || !truth.point();
    }
    return is_open ? open : Interval{1 - decides.low, 1 - decides.high};
  }

  Interval chosen(Node const& node) {
    Interval const condition = of(node.parts[0]);
    // If the condition is undecided, the result is one of both parts.
    if (condition.point()) return of(node.parts[condition.low != 0 ? 1 : 2]);
    Interval const a = of(node.parts[1]), b = of(node.parts[2]);
    return {std::min(a.low, b.low), std::max(a.high, b.high)};
  }

  bool close(Interval a, Interval b) const {
    constexpr double as_near = 1e-9;
    double const one = (a.low + a.high) / 2, other = (b.low + b.high) / 2;
    return equality_ == Equality::near && std::abs(one - other) <= as_near * std::max(std::abs(one), std::abs(other));
  }

  Interval compared(std::string const& word, Interval a, Interval b) const {
    // Three comparisons are the negations of the others.
    bool const negated = word == "!=" || word == ">=" || word == "<=";
    std::string const plain = word == "!=" ? "==" : word == ">=" ? "<" : word == "<=" ? ">" : word;
    Interval result = open;
    if (plain == "==") {
      if (close(a, b) || (a.point() && b.point() && a.low == b.low))
        result = yes;
      else if (a.high < b.low || b.high < a.low)
        result = no;
    } else {
      if (plain == ">") std::swap(a, b);
      if (close(a, b))
        result = no;
      else if (a.high < b.low)
        result = yes;
      else if (a.low >= b.high)
        result = no;
    }
    return negated ? Interval{1 - result.high, 1 - result.low} : result;
  }

  Interval near(Node const& node) {
    Interval const a = of(node.parts[0]), b = of(node.parts[1]);
    double const tolerance = node.parts.size() == 3 ? of(node.parts[2]).high : 1e-9;
    double const scale = std::max({std::abs(a.low), std::abs(a.high), std::abs(b.low), std::abs(b.high)});
    double const apart = std::max({0.0, a.low - b.high, b.low - a.high});
    double const most = std::max(a.high - b.low, b.high - a.low);
    // The factors leave room for the rounding of this test itself.
    if (apart > tolerance * scale * (1 + 1e-12)) return no;
    return most <= tolerance * scale * (1 - 1e-12) || most == 0 ? yes : open;
  }

  static Interval arithmetic(std::string const& word, std::vector<Interval> const& x) {
    Interval const a = x[0];
    auto const of_one = [&](double (*f)(double)) { return around({f(a.low), f(a.high)}); };
    if (word == "+" || word == "sum") {
      Interval sum = a;
      for (std::size_t i = 1; i < x.size(); ++i) sum = rounded(sum.low + x[i].low, sum.high + x[i].high);
      return sum;
    }
    if (word == "abs") {
      bool const crosses = a.low < 0 && a.high > 0;
      return {crosses ? 0 : std::min(std::abs(a.low), std::abs(a.high)), std::max(std::abs(a.low), std::abs(a.high))};
    }
    if (word == "min" || word == "max") {
      Interval best = a;
      for (Interval const& each : x) {
        best = word == "min" ? Interval{std::min(best.low, each.low), std::min(best.high, each.high)}
                             : Interval{std::max(best.low, each.low), std::max(best.high, each.high)};
      }
      return best;
    }
    if (word == "sqrt") return of_one(std::sqrt);
    if (word == "log2") return of_one(std::log2);
    if (word == "log10") return of_one(std::log10);
    if (word == "ln") return of_one(std::log);
    if (word == "exp") return of_one(std::exp);
    if (word == "floor") return {std::floor(a.low), std::floor(a.high)};
    if (word == "ceil") return {std::ceil(a.low), std::ceil(a.high)};
    if (word == "-" && x.size() == 1) return {-a.high, -a.low};
    if (x.size() != 2) return {-infinity, infinity};
    Interval const b = x[1];
    if (word == "-") return rounded(a.low - b.high, a.high - b.low);
    if (word == "*") return around({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
    if (word == "/" && (b.low > 0 || b.high < 0)) {
      return around({a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high});
    }
    if (word == "^") {
      // An even power of an interval across 0 has its minimum at 0, which neither end shows.
      bool const even_across = a.low < 0 && a.high > 0;
      Interval const power =
          around({std::pow(a.low, b.low), std::pow(a.low, b.high), std::pow(a.high, b.low), std::pow(a.high, b.high)});
      return even_across ? Interval{std::min(0.0, power.low), power.high} : power;
    }
    return {-infinity, infinity};
  }

  Variables const& variables_;
  std::vector<double> const* values_ = nullptr;
  Equality equality_ = Equality::exact;
  bool undefined_ = false;
};

/// Draws values of the variables until the claim fails. Most claims that can fail do so within a few draws; random
/// values almost never meet an equality, so that is searched by bisection.
class Search {
 public:
  Search(Node const& claim, Node const* condition, Aliases const& aliases)
      : claim_(claim), condition_(condition), variables_(claim, condition, aliases), evaluator_(variables_) {
    for (double const each : variables_.constants) {
      for (double const near : {each, each + 1, each - 1, each / 2, each * 2, -each}) special_.push_back(near);
    }
  }

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
  bool is_judged(std::vector<double> const& values, Equality equality) {
    return condition_ == nullptr || evaluator_.truth(*condition_, values, equality) == true;
  }
  bool fails(std::vector<double> const& values, Equality equality) {
    return is_judged(values, equality) && evaluator_.truth(claim_, values, equality) == false;
  }

  std::vector<double> drawn(int number) {
    std::vector<double> values;
    // In every seventh draw all variables are equal, because claims often compare two of them.
    bool const one_value = number % 7 == 3;
    double const shared = value(number);
    for (Domain const domain : variables_.domains) values.push_back(into(domain, one_value ? shared : value(number)));
    return values;
  }

  /// A value of the size of counts, of times, or of any double; or a special value.
  double value(int number) {
    static constexpr std::array<std::pair<double, double>, 4> spans = {
        {{-1.0, 1.0}, {-2.0, 4.0}, {-12.0, 12.0}, {-150.0, 150.0}}};
    if (special_.size() > 0 && number % 3 == 1 && random_() % 2 == 0) return special_[random_() % special_.size()];
    auto const [low, high] = spans[static_cast<std::size_t>(number) % spans.size()];
    double const size = std::pow(10.0, std::uniform_real_distribution(low, high)(random_));
    return random_() % 2 == 0 ? size : -size;
  }

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

  /// Searches between two draws of moderate size at which the two sides differ in opposite directions.
  bool fails_where_sides_are_equal(Node const& node) {
    if (node.kind == Kind::comparison && fails_at_root(node)) return true;
    return std::any_of(node.parts.begin(), node.parts.end(),
                       [&](Node const& part) { return fails_where_sides_are_equal(part); });
  }
  bool fails_at_root(Node const& comparison) {
    for (int i = 0; i < 40; ++i) {
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
  Variables const variables_;
  IntervalEvaluator evaluator_;
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
