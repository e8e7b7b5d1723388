#pragma once

// The expressions of `expect` claims, evaluated by muParser: numbers, names, + - * / ^, comparisons, && || !, and the
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

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace rondo {

/// The names an expression may use, with their values; unset: the name exists, but has no value at this point.
using Names = std::map<std::string, std::optional<double>>;

/// A well-formed expression that has no value on these records; what() says why.
class NoValue : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A number, and the names that were read for it with their values.
struct Evaluation {
  double number = 0;
  std::map<std::string, double> read;
  /// The first value on the way that is no finite number, as it was computed: "1 / 0". Such a value makes comparisons
  /// true that say nothing, 0/0 != 0/0. Empty if all values are finite.
  std::string not_finite = {};
};

/// The value at one point. Throws InputError (without a place) on a syntax error, an unknown name (with "did you
/// mean") or a name without value.
Evaluation evaluate(std::string const& expression, Names const& names);

/// The value along an axis: `along` holds the names at each of the axis' values `axis`, in order. A name outside of
/// slope, exponent, fit and crossing must have the same value at all of them.
/// Throws InputError as above, NoValue where curves do not cross or a value is no finite number, and InputError where
/// slope, exponent or fit have no meaning (x constant, log of a value <= 0, a fit to constant y).
Evaluation evaluate(std::string const& expression, std::vector<Names> const& along, std::vector<double> const& axis);

/// Throws InputError on a syntax error or a name that is not among `known`; what is returned is of no known values.
Evaluation check_names(std::string const& expression, Names const& known, bool along_an_axis);

/// The name of one of slope, exponent, fit and crossing.
bool looks_along_an_axis(std::string_view name);

/// What near takes: with 1 or more all numbers of one sign are near each other.
bool is_tolerance(double value);
/// The words of an InputError about another.
std::string wrong_tolerance(std::string_view got);

}  // namespace rondo
