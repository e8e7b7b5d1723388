// Decides whether a claim can fail at all. A claim is a formula over atoms (comparisons and truth values); it is
// refused if its truth is the same for all combinations of its atoms, or if no values make it false.

#include "run/families/claim_form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "run/families/claim_draws.hpp"
#include "run/families/claim_search.hpp"
#include "run/families/expression_tree.hpp"

namespace rondo {
namespace {

using Node = ExpressionNode;
using Kind = Node::Kind;

bool is_bit(Node const& node) { return node.kind == Kind::number && (node.text == "0" || node.text == "1"); }
bool is_equality(Node const& node) { return node.word == "==" || node.word == "!="; }

/// The parts on which the truth of a claim depends: how two numbers compare (less, equal, greater), or a name that is
/// true or false.
class Atoms {
 public:
  std::size_t of_truth(Node const& node) { return index(std::string(node.text), 2); }
  /// a < b and b > a are one atom; returns its number, and whether the sides are swapped.
  std::pair<std::size_t, bool> of_comparison(Node const& node) {
    std::string const left(node.parts[0].text);
    std::string const right(node.parts[1].text);
    bool const swapped = right < left;
    return {index(swapped ? right + "?" + left : left + "?" + right, 3), swapped};
  }

  /// Calls `visit` with each combination of states, if there are few enough to be tried.
  template <typename Visit>
  void each_case(Visit visit) const {
    constexpr std::size_t most_cases = 1 << 16;
    std::size_t cases = 1;
    for (std::size_t i = 0; i < states_.size() && cases <= most_cases; ++i) cases *= states_[i];
    for (std::size_t number = 0; cases <= most_cases && number < cases; ++number) {
      std::vector<std::size_t> state;
      for (std::size_t rest = number; std::size_t const states : states_) {
        state.push_back(rest % states);
        rest /= states;
      }
      visit(state);
    }
  }

 private:
  std::size_t index(std::string const& what, std::size_t states) {
    auto const [found, is_new] = atoms_.emplace(what, states_.size());
    if (is_new) states_.push_back(states);
    return found->second;
  }

  std::map<std::string, std::size_t> atoms_;
  std::vector<std::size_t> states_;
};

/// The truth of a comparison for an order of its sides: 0 less, 1 equal, 2 greater.
bool compares(std::string const& word, std::size_t order) {
  constexpr std::size_t equal = 1;
  if (word == "==") return order == equal;
  if (word == "!=") return order != equal;
  bool const or_equal = word.ends_with('=');
  return word.starts_with('<') ? order < equal + or_equal : order + or_equal > equal;
}

/// Whether an expression is true or false, in contrast to a number.
bool is_truth(Node const& node) {
  switch (node.kind) {
    case Kind::number:
    case Kind::arithmetic:
      return false;
    case Kind::name:
      return is_true_or_false(node.word);
    case Kind::conditional:
      return is_truth(node.parts[1]);
    case Kind::near:
    case Kind::comparison:
    case Kind::conjunction:
    case Kind::disjunction:
    case Kind::negation:
      break;
  }
  return true;
}
bool is_number(Node const& node) { return !is_truth(node); }

bool has_name(Node const& node) {
  return node.kind == Kind::name || std::any_of(node.parts.begin(), node.parts.end(), has_name);
}

bool has_curve(Node const& node) {
  return looks_along_an_axis(node) || std::any_of(node.parts.begin(), node.parts.end(), has_curve);
}

/// The names of an expression, and its calls that look along an axis. Only these get values, because values for all
/// names would take longer than the claim.
struct Drawable {
  Drawable(Node const& root, Names const& all_names) { collect(root, all_names); }

  Names names{};
  Curves curves{};

 private:
  /// The names and curves on which the expression depends.
  void collect(Node const& node, Names const& all_names) {
    for (Node const& part : node.parts) collect(part, all_names);
    auto const found = node.kind == Kind::name ? all_names.find(node.word) : all_names.end();
    if (found != all_names.end()) names.insert(*found);
    if (looks_along_an_axis(node)) curves.emplace(node.text, 1);
  }
};

/// The check of one claim.
class Form {
 public:
  Form(Expression const& expression, Drawable const& drawable, Aliases const& aliases)
      : text_(expression.text), aliases_(aliases), root_(expression.root), draws_(drawable.names, drawable.curves) {}

  /// A number alone is no claim. The truth table over all atoms shows formulas such as a < b || a >= b.
  void check() {
    if (is_number(root_)) fail();
    check(root_);
    bool may_hold = false;
    bool may_fail = false;
    atoms_.each_case(
        [&](std::vector<std::size_t> const& state) { (holds(root_, state) ? may_hold : may_fail) = true; });
    if (may_hold != may_fail) fail();
    if (!rondo::may_fail(root_, aliases_)) fail();
  }

 private:
  /// Checks a part of the claim: types of operands, and comparisons that are constant.
  void check(Node const& node) {
    for (Node const& part : node.parts) check(part);
    switch (node.kind) {
      case Kind::number:
        break;
      case Kind::name:
        check_name(node);
        break;
      case Kind::arithmetic:
        check_arithmetic(node);
        break;
      case Kind::near:
        check_near(node);
        break;
      case Kind::comparison:
        check_comparison(node);
        break;
      case Kind::conditional:
        check_conditional(node);
        break;
      case Kind::conjunction:
      case Kind::disjunction:
      case Kind::negation:
        expect_all(is_truth, node.parts);
        break;
    }
  }

  void check_name(Node const& node) {
    if (is_truth(node)) atoms_.of_truth(node);
  }

  /// Functions along an axis need a curve that changes; a constant has no slope.
  void check_arithmetic(Node const& node) {
    expect_all(is_number, node.parts);
    if (!looks_along_an_axis(node)) return;
    bool const crosses = node.word == "crossing";
    if (draws_.alike(node.parts[0], node.parts[1]) || (!crosses && draws_.is_constant(node.parts[0]))) fail();
  }

  /// The tolerance of near(a, b, tolerance) must be a constant, or a claim could excuse itself.
  void check_near(Node const& node) {
    expect_all(is_number, node.parts);
    if (draws_.alike(node.parts[0], node.parts[1])) fail();
    if (node.parts.size() == 3) check_tolerance(node.parts[2]);
    atoms_.of_truth(node);
  }

  /// A tolerance must be a constant below 1: with a larger one near() would accept everything.
  void check_tolerance(Node const& node) {
    bool const constant = draws_.is_constant(node);
    double const value = constant ? draws_.first_value(node) : 0;
    if (constant && is_tolerance(value)) return;
    throw InputError(fmt::format("\"{}\": {}", excerpt(text_, 120),
                                 wrong_tolerance(constant ? fmt::format("{:.12g}", value) : excerpt(node.text))));
  }

  /// Refuses sides that are always equal or always in one order.
  void check_comparison(Node const& node) {
    Node const& a = node.parts[0];
    Node const& b = node.parts[1];
    if (is_number(a) && is_number(b)) {
      if (draws_.alike(a, b) || is_below_all(a, b, node) || is_below_all(b, a, node)) fail();
      atoms_.of_comparison(node);
    } else if (!is_equality(node) || !(is_truth(a) || is_bit(a)) || !(is_truth(b) || is_bit(b))) {
      fail();
    }
  }

  /// Whether a measured value, which is never negative, is compared with a constant that it cannot reach.
  bool is_below_all(Node const& constant, Node const& other, Node const& comparison) {
    if (has_curve(other) || !has_name(other) || !draws_.is_constant(constant)) return false;
    return draws_.first_value(constant) <= 0 && draws_.is_settled(comparison);
  }

  void check_conditional(Node const& node) {
    if (is_number(node.parts[0]) || is_truth(node.parts[1]) != is_truth(node.parts[2])) fail();
  }

  void expect_all(bool (*is)(Node const&), std::vector<Node> const& nodes) const {
    if (!std::all_of(nodes.begin(), nodes.end(), is)) fail();
  }

  /// The value of a truth, or of 0 or 1, if the atoms are in these states.
  bool holds(Node const& node, std::vector<std::size_t> const& state) {
    auto const here = [&](Node const& each) { return holds(each, state); };
    auto const& parts = node.parts;
    switch (node.kind) {
      case Kind::number:
        return node.text != "0";
      case Kind::conjunction:
        return std::all_of(parts.begin(), parts.end(), here);
      case Kind::disjunction:
        return std::any_of(parts.begin(), parts.end(), here);
      case Kind::negation:
        return !here(parts[0]);
      case Kind::conditional:
        return here(here(parts[0]) ? parts[1] : parts[2]);
      case Kind::comparison:
        if (is_number(parts[0]) && is_number(parts[1])) {
          auto const [atom, swapped] = atoms_.of_comparison(node);
          return compares(node.word, swapped ? 2 - state[atom] : state[atom]);
        }
        return (here(parts[0]) == here(parts[1])) == (node.word == "==");
      case Kind::arithmetic:
      case Kind::near:
      case Kind::name:
        break;
    }
    return state[atoms_.of_truth(node)] != 0;
  }

  [[noreturn]] void fail() const {
    throw InputError(
        fmt::format("\"{}\" compares nothing: expected a comparison that depends on a result, near(a, b), or a truth "
                    "value such as ALGORITHM.delivered",
                    excerpt(text_, 120)));
  }

  std::string const& text_;
  Aliases const& aliases_;
  Node const& root_;
  Draws draws_;
  Atoms atoms_{};
};

}  // namespace

void check_claim(Expression const& expression, Names const& names, bool along_an_axis, Aliases const& aliases) {
  check_names(expression, names, along_an_axis);
  Form(expression, Drawable(expression.root, names), aliases).check();
}

void check_condition(Expression const& claim, Expression const& condition, Aliases const& aliases) {
  if (may_fail_where(condition.root, claim.root, aliases)) return;
  throw InputError(fmt::format("\"{}\" holds wherever \"when\" does, \"{}\": expected a claim that may fail there",
                               excerpt(claim.text, 120), excerpt(condition.text, 120)));
}

}  // namespace rondo
