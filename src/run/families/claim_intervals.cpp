// Computes with intervals. Every operation widens its result by the rounding of a double, so the true value always lies
// within.

#include "run/families/claim_intervals.hpp"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <set>
#include <utility>

#include "run/families/claim_draws.hpp"

namespace rondo::claims {
namespace {

using Node = ExpressionNode;
using Kind = Node::Kind;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Interval no{0, 0}, yes{1, 1}, open{0, 1};

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

/// The range of a variable, by its name: a count is a whole number, a share lies between 0 and 1.
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

/// Functions are monotone or treated case by case; results are widened by the rounding of a double.
Interval arithmetic(std::string const& word, std::vector<Interval> const& x) {
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

}  // namespace

Variables::Variables(Node const& root, Node const* condition, Aliases const& aliases) : aliases_(aliases) {
  collect(root);
  if (condition != nullptr) collect(*condition);
}

/// The text that stands for a variable. Two names of one field are the same variable, so `time == time_s` cannot
/// fail.
std::string Variables::text(Node const& node) const {
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

void Variables::collect(Node const& node) {
  if (is_variable(node)) {
    auto const [place, is_new] = indices_.emplace(text(node), domains.size());
    if (is_new) domains.push_back(domain_of(place->first));
    return;
  }
  // Claims change their truth near their constants, so values near these are drawn too.
  if (node.kind == Kind::number) constants.push_back(node.value);
  for (Node const& part : node.parts) collect(part);
}

/// A claim whose parts have no finite value has no truth.
std::optional<bool> IntervalEvaluator::truth(Node const& node, std::vector<double> const& values, Equality equality) {
  values_ = &values;
  equality_ = equality;
  undefined_ = false;
  Interval const result = of(node);
  if (undefined_ || !result.point()) return std::nullopt;
  return result.low != 0;
}
double IntervalEvaluator::difference(Node const& comparison, std::vector<double> const& values) {
  values_ = &values;
  undefined_ = false;
  Interval const a = of(comparison.parts[0]), b = of(comparison.parts[1]);
  return undefined_ ? std::nan("") : (a.low + a.high) / 2 - (b.low + b.high) / 2;
}

Interval IntervalEvaluator::of(Node const& node) {
  Interval const result = computed(node);
  if (!result.finite()) undefined_ = true;
  return result;
}

/// The interval of an expression. Truth is [0, 0] or [1, 1], and [0, 1] if it is undecided.
Interval IntervalEvaluator::computed(Node const& node) {
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
Interval IntervalEvaluator::joined(Node const& node, Interval decides) {
  bool is_open = false;
  for (Node const& part : node.parts) {
    Interval const truth = of(part);
    if (truth.point() && truth.low == decides.low) return decides;
    is_open = is_open || !truth.point();
  }
  return is_open ? open : Interval{1 - decides.low, 1 - decides.high};
}

/// A conditional expression.
Interval IntervalEvaluator::chosen(Node const& node) {
  Interval const condition = of(node.parts[0]);
  // If the condition is undecided, the result is one of both parts.
  if (condition.point()) return of(node.parts[condition.low != 0 ? 1 : 2]);
  Interval const a = of(node.parts[1]), b = of(node.parts[2]);
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

/// Bisection ends at neighboring doubles, which then stand for equal values.
bool IntervalEvaluator::close(Interval a, Interval b) const {
  constexpr double as_near = 1e-9;
  double const one = (a.low + a.high) / 2, other = (b.low + b.high) / 2;
  return equality_ == Equality::near && std::abs(one - other) <= as_near * std::max(std::abs(one), std::abs(other));
}

/// A comparison of intervals is decided only if they do not overlap, or if they count as close.
Interval IntervalEvaluator::compared(std::string const& word, Interval a, Interval b) const {
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

/// near(a, b): whether the relative difference is at most the tolerance, 1e-9 by default.
Interval IntervalEvaluator::near(Node const& node) {
  Interval const a = of(node.parts[0]), b = of(node.parts[1]);
  double const tolerance = node.parts.size() == 3 ? of(node.parts[2]).high : 1e-9;
  double const scale = std::max({std::abs(a.low), std::abs(a.high), std::abs(b.low), std::abs(b.high)});
  double const apart = std::max({0.0, a.low - b.high, b.low - a.high});
  double const most = std::max(a.high - b.low, b.high - a.low);
  // The factors leave room for the rounding of this test itself.
  if (apart > tolerance * scale * (1 + 1e-12)) return no;
  return most <= tolerance * scale * (1 - 1e-12) || most == 0 ? yes : open;
}

}  // namespace rondo::claims
