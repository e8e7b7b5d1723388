#pragma once

// Numbers that describe curves over the values of an axis, for claims. x and y always have the same length.

#include <vector>

namespace rondo {

/// The least-squares slope of y against x. Throws InputError if all x are equal.
double least_squares_slope(std::vector<double> const& y, std::vector<double> const& x);

/// The share of the variance of y that the least-squares line explains (coefficient of determination). Throws
/// InputError if all x or all y are equal.
double explained(std::vector<double> const& y, std::vector<double> const& x);

/// Throws InputError for a value that is not greater than 0.
std::vector<double> logarithms(std::vector<double> values);

/// The first value of the axis at which the curves a and b cross, linear between its values. Throws NoValue
/// (run/families/expression.hpp) if they do not.
double crossing(std::vector<double> const& a, std::vector<double> const& b, std::vector<double> const& axis);

}  // namespace rondo
