#pragma once

// The expressions of `expect` claims and of sizes: numbers, names, + - * / ^, comparisons, && || !, and the
// functions abs, min, max, sum, sqrt, log2, log10, ln, exp, ceil, floor, near(a, b) (1e-9 relative), near(a, b, r),
// where r is below 1. Truth is 1 or 0. `a ? b : c` computes only one of b and c.
//
// Along an axis of the sweep (a claim's `over`) there are besides
//   slope(y, x)      the least-squares slope of y against x
//   exponent(y, x)   the same of log y against log x
//   fit(y, x)        how well the line of slope(y, x) fits: the part of the variance of y that it explains, 1 for all
//   crossing(a, b)   the first value of the axis at which the curves a and b cross, linear between sweep points;
//                    without a crossing the expression has no value
// whose arguments are expressions evaluated at every value of the axis; they do not nest.

#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "run/families/expression_tree.hpp"

namespace rondo {

/// The names an expression may use, with their values; unset: the name exists, but has no value at this point.
using Names = std::map<std::string, std::optional<double>>;

/// A well-formed expression that has no value on these records; what() says why.
class NoValue : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The value of an expression, and the names that were read for it with their values.
struct Evaluation {
  double number = 0;
  std::map<std::string, double> read;
  /// The first intermediate value that is not a finite number, in the form "1 / 0". Such a value makes comparisons true
  /// that say nothing (0/0 != 0/0). Empty if all values are finite.
  std::string not_finite = {};
};

/// The values of calls that look along an axis, by the text of the call without spaces.
using Curves = std::map<std::string, double, std::less<>>;

/// The value at one point. Throws InputError (without a place) for an unknown name (with "did you mean"), a name
/// without a value, or a function with a wrong number of values.
Evaluation evaluate(Expression const& expression, Names const& names);
/// The value of a part of an expression.
Evaluation evaluate(ExpressionNode const& part, Names const& names, Curves const& curves);

/// The value along an axis: `along` holds the names at each of the axis' values `axis`, in order. A name outside of
/// slope, exponent, fit and crossing must have the same value at all of them.
/// Throws InputError as above, NoValue where curves do not cross or a value is no finite number, and InputError where
/// slope, exponent or fit have no meaning (x constant, log of a value <= 0, a fit to constant y).
Evaluation evaluate(Expression const& expression, std::vector<Names> const& along, std::vector<double> const& axis);

/// Throws InputError on a name that is not among `known`, and on a function of another number of values.
void check_names(Expression const& expression, Names const& names, bool along_an_axis);

/// Whether it is a call of slope, exponent, fit or crossing.
bool looks_along_an_axis(ExpressionNode const& node);

/// Whether `near` accepts this tolerance. With 1 or more, all numbers of one sign would be near each other.
bool is_tolerance(double value);
/// The words of an InputError about a wrong tolerance.
std::string wrong_tolerance(std::string_view got);

}  // namespace rondo
