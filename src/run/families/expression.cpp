#include "run/families/expression.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <list>
#include <numeric>
#include <optional>
#include <random>
#include <span>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "base/listed.hpp"
#include "run/families/curves.hpp"
#include "run/families/expression_tree.hpp"
#include "run/families/unknown_name.hpp"

namespace rondo {
namespace {

constexpr char const* name_characters = "0123456789_.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// What an evaluation did, beside its value. muParser's operators carry no data, so that the one under way in this
/// thread stands here.
struct Watched {
  bool names_alone = false;     ///< whether values only stand for others, so that none is wrong
  std::string not_finite = {};  ///< the first operand that is no finite number, as it was computed
};
thread_local Watched* watched = nullptr;

template <typename Say>
void note(double value, Say say) {
  if (!std::isfinite(value) && watched->not_finite.empty()) watched->not_finite = say();
}

/// The name of a function as an argument of a template.
template <std::size_t size>
struct FunctionName {
  char text[size];
  consteval FunctionName(char const (&word)[size]) { std::copy_n(word, size, text); }
};

/// An operator or function of numbers: its result is a number, which is noted if it is not finite.
template <FunctionName word, auto compute>
double number_of_two(double a, double b) {
  double const result = compute(a, b);
  note(result, [&] { return fmt::format("{:.12g} {} {:.12g}", a, word.text, b); });
  return result;
}
template <FunctionName word, auto compute>
double number_of_one(double a) {
  double const result = compute(a);
  note(result, [&] { return fmt::format("{}({:.12g})", word.text, a); });
  return result;
}
std::vector<std::string> to_digits(std::span<double const> values) {
  std::vector<std::string> texts;
  for (double const value : values) texts.push_back(fmt::format("{:.12g}", value));
  return texts;
}

template <FunctionName word, auto compute>
double number_of_all(double const* arguments, int count) {
  if (count == 0) throw mu::ParserError(fmt::format("{} takes at least one value", word.text));
  std::span const values(arguments, static_cast<std::size_t>(count));
  double const result = compute(values);
  note(result, [&] { return fmt::format("{}({})", word.text, listed(to_digits(values), ", ")); });
  return result;
}

/// A number as it was written, too large for a double.
void note_operand(double value) {
  note(value, [&] { return fmt::format("{}", value); });
}
template <auto compare>
double comparison(double a, double b) {
  note_operand(a);
  note_operand(b);
  return compare(a, b) ? 1 : 0;
}
template <auto combine>
double connective(double a, double b) {
  note_operand(a);
  note_operand(b);
  return combine(a != 0, b != 0) ? 1 : 0;
}
double negation(double value) {
  note_operand(value);
  return value == 0 ? 1 : 0;
}

double near(double const* arguments, int count) {
  if (count != 2 && count != 3) throw mu::ParserError("near takes two values and, if wanted, a relative tolerance");
  double const tolerance = count == 3 ? arguments[2] : 1e-9;
  for (double const operand : {arguments[0], arguments[1], tolerance}) note_operand(operand);
  if (!watched->names_alone && !is_tolerance(tolerance))
    throw mu::ParserError(wrong_tolerance(fmt::format("{:.12g}", tolerance)));
  double const scale = std::max(std::abs(arguments[0]), std::abs(arguments[1]));
  return std::abs(arguments[0] - arguments[1]) <= tolerance * scale ? 1 : 0;
}

/// Replaces muParser's operators, which let values pass that are not finite: with them 0/0 != 0/0 is true, and `? :`
/// and `!` take any such value for a truth value.
void define_operators(mu::Parser& parser) {
  parser.EnableBuiltInOprt(false);
  parser.DefineOprt("||", connective<std::logical_or<>{}>, mu::prLOR);
  parser.DefineOprt("&&", connective<std::logical_and<>{}>, mu::prLAND);
  parser.DefineOprt("<", comparison<std::less<>{}>, mu::prCMP);
  parser.DefineOprt(">", comparison<std::greater<>{}>, mu::prCMP);
  parser.DefineOprt("<=", comparison<std::less_equal<>{}>, mu::prCMP);
  parser.DefineOprt(">=", comparison<std::greater_equal<>{}>, mu::prCMP);
  parser.DefineOprt("==", comparison<std::equal_to<>{}>, mu::prCMP);
  parser.DefineOprt("!=", comparison<std::not_equal_to<>{}>, mu::prCMP);
  parser.DefineOprt("+", number_of_two<"+", std::plus<>{}>, mu::prADD_SUB);
  parser.DefineOprt("-", number_of_two<"-", std::minus<>{}>, mu::prADD_SUB);
  parser.DefineOprt("*", number_of_two<"*", std::multiplies<>{}>, mu::prMUL_DIV);
  parser.DefineOprt("/", number_of_two<"/", std::divides<>{}>, mu::prMUL_DIV);
  parser.DefineOprt("^", number_of_two<"^", [](double a, double b) { return std::pow(a, b); }>, mu::prPOW, mu::oaRIGHT);
  parser.ClearInfixOprt();
  parser.DefineInfixOprt("!", negation);
  parser.DefineInfixOprt("-", number_of_one<"-", std::negate<>{}>);
  parser.DefineInfixOprt("+", number_of_one<"+", [](double x) { return x; }>);
}

using Values = std::span<double const>;

void define_functions(mu::Parser& parser) {
  parser.ClearFun();
  parser.DefineFun("near", near, false);
  parser.DefineFun("abs", number_of_one<"abs", [](double x) { return std::abs(x); }>, false);
  parser.DefineFun("sqrt", number_of_one<"sqrt", [](double x) { return std::sqrt(x); }>, false);
  parser.DefineFun("log2", number_of_one<"log2", [](double x) { return std::log2(x); }>, false);
  parser.DefineFun("log10", number_of_one<"log10", [](double x) { return std::log10(x); }>, false);
  parser.DefineFun("ln", number_of_one<"ln", [](double x) { return std::log(x); }>, false);
  parser.DefineFun("exp", number_of_one<"exp", [](double x) { return std::exp(x); }>, false);
  parser.DefineFun("ceil", number_of_one<"ceil", [](double x) { return std::ceil(x); }>, false);
  parser.DefineFun("floor", number_of_one<"floor", [](double x) { return std::floor(x); }>, false);
  parser.DefineFun("min", number_of_all<"min", [](Values x) { return *std::min_element(x.begin(), x.end()); }>, false);
  parser.DefineFun("max", number_of_all<"max", [](Values x) { return *std::max_element(x.begin(), x.end()); }>, false);
  parser.DefineFun("sum", number_of_all<"sum", [](Values x) { return std::accumulate(x.begin(), x.end(), 0.0); }>,
                   false);
}

constexpr std::array axis_functions{"slope", "exponent", "fit", "crossing"};

/// Whether the name stands before a parenthesis somewhere.
bool is_called(std::string const& expression, std::string const& name) {
  for (std::size_t at = expression.find(name); at != std::string::npos; at = expression.find(name, at + 1)) {
    bool const begins = at == 0 || std::string_view(name_characters).find(expression[at - 1]) == std::string_view::npos;
    std::size_t const next = expression.find_first_not_of(' ', at + name.size());
    if (begins && next != std::string::npos && expression[next] == '(') return true;
  }
  return false;
}

std::vector<std::string> functions_of(mu::Parser const& parser) {
  std::vector<std::string> names(axis_functions.begin(), axis_functions.end());
  for (auto const& [name, call] : parser.GetFunDef()) names.push_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

/// Hands muParser the value of each name it meets.
struct Lookup {
  std::string const& expression;
  mu::Parser const& parser;
  Names const& names;
  std::list<double> values{};  // muParser keeps pointers
  std::map<std::string, double> read{};

  double* find(char const* name) {
    auto const found = names.find(name);
    if (found == names.end()) {
      if (looks_along_an_axis(name)) {
        throw InputError(
            fmt::format("{} looks along an axis: the claim needs \"over\", and such calls do not nest", name));
      }
      if (name[0] >= '0' && name[0] <= '9')
        throw InputError(fmt::format("expected a number below 1.8e308, got {}", name));
      refuse_words_of_others(expression);
      throw InputError(unknown_name(name, is_called(expression, name), names, functions_of(parser)));
    }
    if (!found->second) throw InputError(fmt::format("\"{}\" has no value here", name));
    read[name] = *found->second;
    note(*found->second, [&] { return fmt::format("{} = {}", name, *found->second); });
    return &values.emplace_back(*found->second);
  }
};

/// As muParser wants it: no blank before the parenthesis of a call.
std::string without_blanks_in_calls(std::string const& expression) {
  std::string text;
  for (char const c : expression) {
    if (c == '(') {
      std::size_t const last = text.find_last_not_of(" \t\n\r");
      bool const calls =
          last != std::string::npos && std::string_view(name_characters).find(text[last]) != std::string::npos;
      if (calls) text.resize(last + 1);
    }
    text += c;
  }
  return text;
}

double* look_up(char const* name, void* lookup) { return static_cast<Lookup*>(lookup)->find(name); }

/// A call NAME(first, second) in an expression: [begin, end) covers all of it.
struct Call {
  std::string name, first, second;
  std::size_t begin, end;
};

/// The first call of a function that looks along an axis.
std::optional<Call> find_call(std::string const& expression) {
  for (std::string const name : axis_functions) {
    std::size_t const begin = expression.find(name);
    if (begin == std::string::npos) continue;
    if (begin > 0 && std::string(name_characters).find(expression[begin - 1]) != std::string::npos) continue;
    std::size_t const open = expression.find_first_not_of(" \t\n\r", begin + name.size());
    if (open == std::string::npos || expression[open] != '(') continue;
    int depth = 0;
    std::size_t comma = std::string::npos;
    for (std::size_t i = open; i < expression.size(); ++i) {
      if (expression[i] == '(') ++depth;
      if (expression[i] == ',' && depth == 1 && comma == std::string::npos) comma = i;
      if (expression[i] != ')' || --depth > 0) continue;
      if (comma == std::string::npos) throw InputError(fmt::format("{} takes two values, as {}(a, b)", name, name));
      return Call{name, expression.substr(open + 1, comma - open - 1), expression.substr(comma + 1, i - comma - 1),
                  begin, i + 1};
    }
  }
  return std::nullopt;
}

double value_of(Call const& call, std::vector<Names> const& along, std::vector<double> const& axis,
                std::map<std::string, double>& read) {
  std::vector<double> first;
  std::vector<double> second;
  for (Names const& names : along) {
    for (auto const& [expression, values] : {std::pair(&call.first, &first), std::pair(&call.second, &second)}) {
      Evaluation const here = evaluate(*expression, names);
      if (!here.not_finite.empty()) throw NoValue(fmt::format("{} is no finite number", here.not_finite));
      values->push_back(here.number);
      read.insert(here.read.begin(), here.read.end());
    }
  }
  if (call.name == "crossing") return crossing(first, second, axis);
  if (call.name == "slope") return least_squares_slope(first, second);
  if (call.name == "fit") return explained(first, second);
  return least_squares_slope(logarithms(first), logarithms(second));
}

/// What muParser refuses though it is an expression.
std::string what_is_wrong(mu::ParserError const& error) {
  if (error.GetCode() == mu::ecTOO_MANY_PARAMS) return fmt::format("{} takes one value, got several", error.GetToken());
  if (error.GetCode() == mu::ecEXPRESSION_TOO_LONG)
    return fmt::format("longer than {} characters", mu::MaxLenExpression);
  return excerpt(error.GetMsg(), 160);
}

/// The names that keep their value along the axis; the others exist, but have no single value.
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

bool looks_along_an_axis(std::string_view name) {
  return std::find(axis_functions.begin(), axis_functions.end(), name) != axis_functions.end();
}

bool is_tolerance(double value) { return value >= 0 && value < 1; }
std::string wrong_tolerance(std::string_view got) {
  return fmt::format("expected a constant relative tolerance from 0 to below 1 for near, got {}", got);
}

namespace {

Evaluation evaluate_watched(std::string const& expression, Names const& names, Watched seen) {
  mu::Parser parser;
  Lookup lookup{expression, parser, names};
  watched = &seen;
  parser.EnableOptimizer(false);  // it would compute constants of a branch that is not taken
  parser.DefineNameChars(name_characters);
  parser.ClearConst();
  define_operators(parser);
  define_functions(parser);
  parser.SetVarFactory(look_up, &lookup);
  try {
    parser.SetExpr(without_blanks_in_calls(expression));
    int values = 0;
    double const number = parser.Eval(values)[0];
    if (values != 1) throw mu::ParserError("expected one value, got several");
    note_operand(number);
    return {number, std::move(lookup.read), seen.not_finite};
  } catch (mu::ParserError const& error) {
    parse_expression(expression);  // says better where it is none
    throw InputError(fmt::format("\"{}\": {}", excerpt(expression, 120), what_is_wrong(error)));
  }
}

}  // namespace

Evaluation evaluate(std::string const& expression, Names const& names) {
  return evaluate_watched(expression, names, Watched{});
}

Evaluation evaluate(std::string const& expression, std::vector<Names> const& along, std::vector<double> const& axis) {
  expects(!along.empty() && along.size() == axis.size(), "names at every value of the axis");
  std::string text = expression;
  Names names = constant_names(along);
  std::map<std::string, double> read;
  for (int k = 1; auto const call = find_call(text); ++k) {
    std::string const stand_in = fmt::format("_along{}", k);
    names[stand_in] = value_of(*call, along, axis, read);
    std::string const said = text.substr(call->begin, call->end - call->begin);
    if (!std::isfinite(*names[stand_in])) throw NoValue(fmt::format("{} is no finite number", said));
    read[said] = *names[stand_in];
    text.replace(call->begin, call->end - call->begin, stand_in);
  }
  Evaluation result = evaluate(text, names);
  std::erase_if(result.read, [](auto const& each) { return each.first.starts_with("_along"); });
  result.read.merge(read);
  return result;
}

namespace {

Names ones(Names const& known) {
  Names names;
  for (auto const& [name, value] : known) names[name] = 1;
  return names;
}

/// An expression with a name for each call that looks along an axis, and the names that it may use.
struct WithStandIns {
  std::string text;
  Names known;
};

/// The arguments of such calls are checked.
WithStandIns with_stand_ins(std::string const& expression, Names const& known, bool along_an_axis) {
  WithStandIns result{expression, known};
  for (int k = 1; auto const call = along_an_axis ? find_call(result.text) : std::nullopt; ++k) {
    check_names(call->first, known, false);
    check_names(call->second, known, false);
    std::string const stand_in = fmt::format("curve_{}", k);
    result.known[stand_in] = 1;
    result.text.replace(call->begin, call->end - call->begin, stand_in);
  }
  return result;
}

}  // namespace

Evaluation check_names(std::string const& expression, Names const& known, bool along_an_axis) {
  parse_expression(expression);
  WithStandIns const form = with_stand_ins(expression, known, along_an_axis);
  return evaluate_watched(form.text, ones(form.known), Watched{.names_alone = true});
}

}  // namespace rondo
