// Evaluates expressions and checks their names. A check walks the same tree as the evaluation, with names that have no
// values yet.

#include "run/families/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "run/families/curves.hpp"
#include "run/families/names.hpp"

namespace rondo {
namespace {

using Node = ExpressionNode;
using Kind = Node::Kind;
using Values = std::span<double const>;

constexpr std::size_t any_number = 0;

/// An operator or a function of numbers.
struct Function {
  std::string_view word;
  std::size_t values;
  double (*compute)(Values);
};

// The minus sign takes one value, the operator takes two.
constexpr std::array functions{
    Function{"+", 2, [](Values x) { return x[0] + x[1]; }},
    Function{"-", 2, [](Values x) { return x[0] - x[1]; }},
    Function{"*", 2, [](Values x) { return x[0] * x[1]; }},
    Function{"/", 2, [](Values x) { return x[0] / x[1]; }},
    Function{"^", 2, [](Values x) { return std::pow(x[0], x[1]); }},
    Function{"+", 1, [](Values x) { return x[0]; }},
    Function{"-", 1, [](Values x) { return -x[0]; }},
    Function{"abs", 1, [](Values x) { return std::abs(x[0]); }},
    Function{"sqrt", 1, [](Values x) { return std::sqrt(x[0]); }},
    Function{"log2", 1, [](Values x) { return std::log2(x[0]); }},
    Function{"log10", 1, [](Values x) { return std::log10(x[0]); }},
    Function{"ln", 1, [](Values x) { return std::log(x[0]); }},
    Function{"exp", 1, [](Values x) { return std::exp(x[0]); }},
    Function{"ceil", 1, [](Values x) { return std::ceil(x[0]); }},
    Function{"floor", 1, [](Values x) { return std::floor(x[0]); }},
    Function{"min", any_number, [](Values x) { return *std::min_element(x.begin(), x.end()); }},
    Function{"max", any_number, [](Values x) { return *std::max_element(x.begin(), x.end()); }},
    Function{"sum", any_number, [](Values x) { return std::accumulate(x.begin(), x.end(), 0.0); }},
};
constexpr std::array axis_functions{"slope", "exponent", "fit", "crossing"};

bool is_operator(std::string_view word) { return std::string_view("+-*/^").find(word[0]) != std::string_view::npos; }

/// The function with this word and this number of values; null if there is none.
Function const* function_of(std::string_view word, std::size_t values) {
  auto const found = std::find_if(functions.begin(), functions.end(), [&](Function const& each) {
    return each.word == word && (each.values == values || each.values == any_number);
  });
  return found == functions.end() ? nullptr : &*found;
}

/// The names of all functions, sorted.
std::vector<std::string> function_names() {
  std::vector<std::string> names(axis_functions.begin(), axis_functions.end());
  names.emplace_back("near");
  for (Function const& each : functions) {
    if (!is_operator(each.word)) names.emplace_back(each.word);
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// "1 / 0" or "max(1, inf)"
std::string as_computed(std::string_view word, Values values) {
  std::vector<std::string> texts;
  for (double const value : values) texts.push_back(fmt::format("{:.12g}", value));
  if (is_operator(word) && values.size() == 2) return fmt::format("{} {} {}", texts[0], word, texts[1]);
  return fmt::format("{}({})", word, listed(texts, ", "));
}

/// The comparison of two numbers. Equality is exact; near() is for times.
bool holds(std::string_view word, double a, double b) {
  if (word == "<") return a < b;
  if (word == "<=") return a <= b;
  if (word == "==") return a == b;
  if (word == "!=") return a != b;
  return word == ">" ? a > b : a >= b;
}

/// Checks the words of an expression, independently of any values.
class Checker {
 public:
  Checker(std::string const& text, Names const& names, Curves const& curves)
      : text_(text), names_(names), curves_(curves) {}

  /// Calls `use` with each name and its value, in the order of the expression, also for parts that are not computed.
  template <typename Use>
  void check(Node const& node, Use use) const {
    if (looks_along_an_axis(node) && curves_.contains(node.text)) return;
    if (looks_along_an_axis(node)) refuse_curve(node.word);
    for (Node const& part : node.parts) check(part, use);
    if (node.kind == Kind::name) use(found(node.word));
    if (node.kind == Kind::arithmetic || node.kind == Kind::near) check_values(node);
  }
  void check(Node const& node) const {
    check(node, [](Names::value_type const&) {});
  }

 private:
  Names::value_type const& found(std::string const& name) const {
    auto const place = names_.find(name);
    if (place != names_.end()) return *place;
    for (char const* word : axis_functions) {
      if (name == word) refuse_curve(name);
    }
    refuse_foreign_operators(text_);
    throw InputError(unknown_name(name, false, names_, function_names()));
  }

  /// Checks the number of arguments of a function.
  void check_values(Node const& node) const {
    std::size_t const values = node.parts.size();
    if (node.kind == Kind::near) {
      if (values != 2 && values != 3) fail("near takes two values and, if wanted, a relative tolerance");
    } else if (function_of(node.word, values) == nullptr) {
      if (function_of(node.word, 1) != nullptr) fail(fmt::format("{} takes one value, got several", node.word));
      refuse_foreign_operators(text_);
      throw InputError(unknown_name(node.word, true, names_, function_names()));
    }
  }

  [[noreturn]] static void refuse_curve(std::string const& word) {
    throw InputError(
        fmt::format("{} needs the key \"over\" of the claim, and cannot stand inside such a function", word));
  }
  [[noreturn]] void fail(std::string const& what) const {
    throw InputError(fmt::format("\"{}\": {}", excerpt(text_, 120), what));
  }

  std::string const& text_;
  Names const& names_;
  Curves const& curves_;
};

/// Computes an expression that a Checker has accepted.
class Evaluator {
 public:
  Evaluator(std::string const& text, Names const& names, Curves const& curves)
      : text_(text), names_(names), curves_(curves) {}

  Evaluation whole(Node const& root) {
    Checker(text_, names_, curves_).check(root, [this](Names::value_type const& name) { read(name); });
    result_.number = value(root);
    return std::move(result_);
  }

 private:
  void read(Names::value_type const& name) {
    if (!name.second) throw InputError(fmt::format("\"{}\" has no value here", name.first));
    result_.read.insert_or_assign(name.first, *name.second);
    note(*name.second, [&] { return fmt::format("{} = {}", name.first, *name.second); });
  }

  /// The value of a node. Truth is 1 or 0.
  double value(Node const& node) {
    switch (node.kind) {
      case Kind::number:
        return node.value;
      case Kind::name:
        return *names_.at(node.word);
      case Kind::arithmetic:
        return looks_along_an_axis(node) ? curves_.find(node.text)->second : arithmetic(node);
      case Kind::near:
        return near(values(node)) ? 1 : 0;
      case Kind::comparison: {
        double const left = value(node.parts[0]);
        return holds(node.word, left, value(node.parts[1])) ? 1 : 0;
      }
      case Kind::conjunction:
        return false_parts(node) == 0 ? 1 : 0;
      case Kind::disjunction:
        return false_parts(node) < node.parts.size() ? 1 : 0;
      case Kind::negation:
        return value(node.parts[0]) == 0 ? 1 : 0;
      case Kind::conditional:
        break;
    }
    return value(node.parts[value(node.parts[0]) != 0 ? 1 : 2]);
  }

  std::vector<double> values(Node const& node) {
    std::vector<double> result;
    for (Node const& part : node.parts) result.push_back(value(part));
    return result;
  }

  /// A function or an operator of numbers.
  double arithmetic(Node const& node) {
    std::vector<double> const of = values(node);
    double const result = function_of(node.word, of.size())->compute(of);
    note(result, [&] { return as_computed(node.word, of); });
    return result;
  }

  /// Whether two values differ by at most the tolerance, relative to the larger one.
  bool near(std::vector<double> const& of) const {
    double const tolerance = of.size() == 3 ? of[2] : 1e-9;
    if (!is_tolerance(tolerance)) {
      throw InputError(
          fmt::format("\"{}\": {}", excerpt(text_, 120), wrong_tolerance(fmt::format("{:.12g}", tolerance))));
    }
    return std::abs(of[0] - of[1]) <= tolerance * std::max(std::abs(of[0]), std::abs(of[1]));
  }

  /// Computes all parts, so that a part that is no finite number is noted whatever the others are.
  std::size_t false_parts(Node const& node) {
    std::vector<double> const of = values(node);
    return static_cast<std::size_t>(std::count(of.begin(), of.end(), 0.0));
  }

  template <typename Say>
  void note(double value, Say say) {
    if (!std::isfinite(value) && result_.not_finite.empty()) result_.not_finite = say();
  }

  std::string const& text_;
  Names const& names_;
  Curves const& curves_;
  Evaluation result_{};
};

/// The calls that look along an axis, each with two values.
std::vector<Node const*> axis_calls(Node const& node) {
  if (looks_along_an_axis(node)) {
    if (node.parts.size() == 2) return {&node};
    throw InputError(fmt::format("{} takes two values, as {}(a, b)", node.word, node.word));
  }
  std::vector<Node const*> calls;
  for (Node const& part : node.parts) {
    for (Node const* call : axis_calls(part)) calls.push_back(call);
  }
  return calls;
}

/// Evaluates a function along the axis: both arguments at each of its values.
double value_along(Node const& call, std::vector<Names> const& along, std::vector<double> const& axis,
                   std::map<std::string, double>& read) {
  std::array<std::vector<double>, 2> of;
  for (Names const& names : along) {
    for (std::size_t part = 0; part < 2; ++part) {
      Evaluation const here = evaluate(call.parts[part], names, {});
      if (!here.not_finite.empty()) throw NoValue(fmt::format("{} is no finite number", here.not_finite));
      of[part].push_back(here.number);
      read.insert(here.read.begin(), here.read.end());
    }
  }
  if (call.word == "crossing") return crossing(of[0], of[1], axis);
  if (call.word == "slope") return least_squares_slope(of[0], of[1]);
  if (call.word == "fit") return explained(of[0], of[1]);
  return least_squares_slope(logarithms(of[0]), logarithms(of[1]));
}

/// The names with their values if these are the same along the whole axis; the other names exist without a value.
Names constant_names(std::vector<Names> const& along) {
  Names result = along.front();
  for (Names const& names : along) {
    for (auto& [name, value] : result) {
      if (auto const found = names.find(name); found == names.end() || found->second != value) value.reset();
    }
  }
  return result;
}

}  // namespace

bool looks_along_an_axis(ExpressionNode const& node) {
  return node.kind == Kind::arithmetic &&
         std::find(axis_functions.begin(), axis_functions.end(), node.word) != axis_functions.end();
}

bool is_tolerance(double value) { return value >= 0 && value < 1; }
std::string wrong_tolerance(std::string_view got) {
  return fmt::format("expected a constant relative tolerance from 0 to below 1 for near, got {}", got);
}

Evaluation evaluate(ExpressionNode const& part, Names const& names, Curves const& curves) {
  return Evaluator(std::string(part.text), names, curves).whole(part);
}

Evaluation evaluate(Expression const& expression, Names const& names) {
  return Evaluator(expression.text, names, {}).whole(expression.root);
}

/// Functions along the axis are evaluated first; they are constants for the rest of the expression.
Evaluation evaluate(Expression const& expression, std::vector<Names> const& along, std::vector<double> const& axis) {
  expects(!along.empty() && along.size() == axis.size(), "names at every value of the axis");
  Curves curves;
  std::map<std::string, double> read;
  for (Node const* call : axis_calls(expression.root)) {
    double const value = value_along(*call, along, axis, read);
    std::string const written = expression.text.substr(call->begin, call->end - call->begin);
    if (!std::isfinite(value)) throw NoValue(fmt::format("{} is no finite number", written));
    curves.emplace(call->text, value);
    read[written] = value;
  }
  Evaluation result = Evaluator(expression.text, constant_names(along), curves).whole(expression.root);
  result.read.merge(read);
  return result;
}

/// Throws InputError for an unknown name, and for functions that look along an axis where there is none.
void check_names(Expression const& expression, Names const& names, bool along_an_axis) {
  Curves curves;
  for (Node const* call : along_an_axis ? axis_calls(expression.root) : std::vector<Node const*>{}) {
    for (Node const& part : call->parts) Checker(expression.text, names, {}).check(part);
    curves.emplace(call->text, 1);
  }
  Checker(expression.text, names, curves).check(expression.root);
}

}  // namespace rondo
