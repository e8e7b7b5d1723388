// Least squares and crossings of curves, for functions of claims along an axis.

#include "run/families/curves.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/error.hpp"
#include "run/families/expression.hpp"

namespace rondo {
namespace {

/// The covariance of y and x, and their variances.
struct Moments {
  double variance_x = 0, covariance = 0, variance_y = 0;  ///< each times the number of points
};

/// Means first, then deviations from them: sums of squares would lose digits.
Moments moments(std::vector<double> const& y, std::vector<double> const& x) {
  auto const n = static_cast<double>(x.size());
  double mean_x = 0;
  double mean_y = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean_x += x[i] / n;
    mean_y += y[i] / n;
  }
  Moments result;
  for (std::size_t i = 0; i < x.size(); ++i) {
    result.covariance += (x[i] - mean_x) * (y[i] - mean_y);
    result.variance_x += (x[i] - mean_x) * (x[i] - mean_x);
    result.variance_y += (y[i] - mean_y) * (y[i] - mean_y);
  }
  if (result.variance_x == 0) throw InputError("a slope needs at least two different values of x");
  return result;
}

}  // namespace

double least_squares_slope(std::vector<double> const& y, std::vector<double> const& x) {
  Moments const m = moments(y, x);
  return m.covariance / m.variance_x;
}

double explained(std::vector<double> const& y, std::vector<double> const& x) {
  Moments const m = moments(y, x);
  if (m.variance_y == 0) throw InputError("a fit needs at least two different values of y");
  return m.covariance * m.covariance / (m.variance_x * m.variance_y);
}

/// The natural logarithms, for exponents. Throws InputError for a value that is not positive.
std::vector<double> logarithms(std::vector<double> values) {
  for (double& value : values) {
    if (!(value > 0)) throw InputError(fmt::format("an exponent needs values greater than 0, got {}", value));
    value = std::log(value);
  }
  return values;
}

/// Between two points of the axis the curves are taken as straight.
double crossing(std::vector<double> const& a, std::vector<double> const& b, std::vector<double> const& axis) {
  for (std::size_t i = 0; i < axis.size(); ++i) {
    double const here = a[i] - b[i];
    if (here == 0) return axis[i];
    if (i + 1 == axis.size()) break;
    double const next = a[i + 1] - b[i + 1];
    if (std::signbit(here) != std::signbit(next) && next != 0) {
      return axis[i] + (axis[i + 1] - axis[i]) * here / (here - next);
    }
  }
  throw NoValue("the curves do not cross");
}

}  // namespace rondo
