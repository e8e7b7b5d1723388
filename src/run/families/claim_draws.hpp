#pragma once

// Values drawn for the names of a claim, for claim_form.cpp alone.

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "run/families/expression.hpp"

namespace rondo {

/// Whether a name stands for true or false, not for a number.
inline bool is_true_or_false(std::string const& name) {
  bool const is_optimal = name.find(".optimal.") != std::string::npos;
  return is_optimal || name.ends_with(".delivered") || name == "cumulative" || name == "persistent";
}

/// Values for all names, to see what an expression depends on: of the size of counts and of that of times and volumes
/// in turn, so that max(time, 1us) and min(p, D) are either of their two.
class Draws {
 public:
  explicit Draws(Names const& known) : known_(known) {}

  /// Whether two expressions are constants, or one thing.
  bool alike(std::string const& a, std::string const& b) {
    // The second draw settles most; what seldom differs, such as max(time - 1s, 0) and 0, gets more.
    Evaluation const first_a = evaluate(a, at_draw(0));
    Evaluation const first_b = evaluate(b, at_draw(0));
    bool constants = std::isfinite(first_a.number) && std::isfinite(first_b.number);
    bool one_thing = first_a.number == first_b.number;
    std::size_t const draws = first_a.read.empty() && first_b.read.empty() ? 1 : most_draws;
    for (std::size_t draw = 1; draw < draws && (constants || one_thing); ++draw) {
      double const now_a = evaluate(a, at_draw(draw)).number;
      double const now_b = evaluate(b, at_draw(draw)).number;
      constants = constants && now_a == first_a.number && now_b == first_b.number;
      one_thing = one_thing && now_a == now_b;
    }
    return constants || one_thing;
  }
  bool is_constant(std::string const& expression) { return alike(expression, "0"); }
  /// The value of a constant.
  double first_value(std::string const& constant) { return evaluate(constant, at_draw(0)).number; }
  /// Whether a comparison has one truth whatever the names are, from 0 up.
  bool is_settled(std::string const& comparison) {
    Names nothing = known_;
    for (auto& [name, value] : nothing) value = 0;
    bool const first = evaluate(comparison, nothing).number != 0;
    for (std::size_t draw = 0; draw < most_draws; ++draw) {
      if ((evaluate(comparison, at_draw(draw)).number != 0) != first) return false;
    }
    return true;
  }

 private:
  static constexpr std::size_t most_draws = 64;

  Names const& at_draw(std::size_t draw) {
    while (names_.size() <= draw) names_.push_back(drawn(static_cast<unsigned>(names_.size())));
    return names_[draw];
  }
  Names drawn(unsigned draw) const {
    std::mt19937 random(draw);
    double const largest = std::log(draw % 2 == 0 ? 1e4 : 1e12);
    std::uniform_real_distribution<double> logarithm(draw % 2 == 0 ? std::log(0.01) : -largest, largest);
    Names names = known_;
    for (auto& [name, value] : names) {
      value = is_true_or_false(name) ? static_cast<double>(random() % 2) : std::exp(logarithm(random));
    }
    return names;
  }

  Names const known_;
  std::vector<Names> names_{};  ///< by draw
};

}  // namespace rondo
