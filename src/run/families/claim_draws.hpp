#pragma once

// Random values for the names of a claim. claim_form.cpp evaluates an expression with many draws to see on which names
// it depends; equal values in all draws mean that two expressions are equal, up to chance.

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "run/families/expression.hpp"

namespace rondo {

/// Whether a name stands for true or false instead of a number.
inline bool is_true_or_false(std::string const& name) {
  bool const is_optimal = name.find(".optimal.") != std::string::npos;
  return is_optimal || name.ends_with(".delivered") || name == "cumulative" || name == "persistent";
}

/// Random values for all names, and for all calls that look along an axis. Draws alternate between the size of counts
/// and the size of times and volumes, so that max(time, 1us) and min(p, D) take either of their two values.
class Draws {
 public:
  Draws(Names const& names, Curves const& curves) : names_(names), curves_(curves) {}

  /// Whether two expressions are both constant, or always equal.
  bool alike(ExpressionNode const& a, ExpressionNode const& b) {
    // The second draw settles most cases. Expressions that seldom differ, such as max(time - 1s, 0) and 0, need more
    // draws.
    Evaluation const first_a = at_draw(a, 0);
    Evaluation const first_b = at_draw(b, 0);
    bool constants = std::isfinite(first_a.number) && std::isfinite(first_b.number);
    bool one_thing = first_a.number == first_b.number;
    std::size_t const draws = is_drawn(a) || is_drawn(b) ? most_draws : 1;
    for (std::size_t draw = 1; draw < draws && (constants || one_thing); ++draw) {
      double const now_a = at_draw(a, draw).number;
      double const now_b = at_draw(b, draw).number;
      constants = constants && now_a == first_a.number && now_b == first_b.number;
      one_thing = one_thing && now_a == now_b;
    }
    return constants || one_thing;
  }
  /// Whether the expression has the same value in all draws: the difference to a constant is then constant too.
  bool is_constant(ExpressionNode const& node) {
    static Expression const zero = "0";
    return alike(node, zero.root);
  }
  /// The value of a constant.
  double first_value(ExpressionNode const& constant) { return at_draw(constant, 0).number; }
  /// Whether a comparison has the same truth for all values of its names from 0 up.
  bool is_settled(ExpressionNode const& comparison) {
    Names nothing = names_;
    for (auto& [name, value] : nothing) value = 0;
    bool const first = evaluate(comparison, nothing, curves_).number != 0;
    for (std::size_t draw = 0; draw < most_draws; ++draw) {
      if ((at_draw(comparison, draw).number != 0) != first) return false;
    }
    return true;
  }

 private:
  static constexpr std::size_t most_draws = 64;

  struct Draw {
    Names names;
    Curves curves;
  };

  /// Whether any of its names has a random value.
  static bool is_drawn(ExpressionNode const& node) {
    return node.kind == ExpressionNode::Kind::name || looks_along_an_axis(node) ||
           std::any_of(node.parts.begin(), node.parts.end(), is_drawn);
  }

  /// The value in one draw. Draws are made at their first use and kept.
  Evaluation at_draw(ExpressionNode const& node, std::size_t draw) {
    while (drawn_.size() <= draw) drawn_.push_back(drawn(static_cast<unsigned>(drawn_.size())));
    return evaluate(node, drawn_[draw].names, drawn_[draw].curves);
  }
  /// Values are spread evenly on a logarithmic scale. Odd draws span 24 orders of magnitude, so that small terms matter
  /// in some of them.
  Draw drawn(unsigned draw) const {
    std::mt19937 random(draw);
    double const largest = std::log(draw % 2 == 0 ? 1e4 : 1e12);
    std::uniform_real_distribution<double> logarithm(draw % 2 == 0 ? std::log(0.01) : -largest, largest);
    Draw result{names_, curves_};
    for (auto& [name, value] : result.names) {
      value = is_true_or_false(name) ? static_cast<double>(random() % 2) : std::exp(logarithm(random));
    }
    for (auto& [call, value] : result.curves) value = std::exp(logarithm(random));
    return result;
  }

  Names const names_;
  Curves const curves_;
  std::vector<Draw> drawn_{};  ///< by draw
};

}  // namespace rondo
