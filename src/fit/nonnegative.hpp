#pragma once

// Least squares for a sum of columns with coefficients that are at least 0 [Lawson and Hanson 1974, chapter 23].

#include <span>
#include <vector>

namespace rondo::fit {

/// The coefficients x >= 0 with the least sum over rows of (sum_j columns[j][row] x_j - target[row])^2. All columns are
/// as long as the target. The problem is convex, so this is its global minimum; a column that does not help has
/// the coefficient 0 exactly.
std::vector<double> nonnegative_least_squares(std::span<std::vector<double> const> columns,
                                              std::span<double const> target);

}  // namespace rondo::fit
