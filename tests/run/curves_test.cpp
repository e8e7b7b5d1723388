// Expressions that look along the axis of a sweep: slopes, exponents, fits and crossings.

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "run/families/expression.hpp"

namespace rondo {
namespace {

/// y = 3 x^2 at x = 1, 2, 4; z = 4 + 2 x.
std::vector<Names> curve() {
  return {{{"x", 1}, {"y", 3}, {"z", 6}, {"k", 7}},
          {{"x", 2}, {"y", 12}, {"z", 8}, {"k", 7}},
          {{"x", 4}, {"y", 48}, {"z", 12}, {"k", 7}}};
}

TEST(Expression, fits_slopes_and_exponents_along_an_axis) {
  std::vector<double> const axis{1, 2, 4};
  EXPECT_NEAR(evaluate("exponent(y, x)", curve(), axis).number, 2, 1e-12);
  EXPECT_NEAR(evaluate("slope(z, x)", curve(), axis).number, 2, 1e-12);
  EXPECT_NEAR(evaluate("exponent(y/3, 2*x) + k", curve(), axis).number, 9, 1e-12);
  EXPECT_THROW(evaluate("slope(y, k)", curve(), axis), InputError);
  // All of z lies on a line of x. From their means 7/3 and 21, x and y differ by -4/3, -1/3, 5/3 and -18, -9, 27: a
  // covariance of 72, and variances of 14/3 and 1134; 72^2 / (14/3 * 1134) = 48/49.
  EXPECT_NEAR(evaluate("fit(z, x)", curve(), axis).number, 1, 1e-12);
  EXPECT_NEAR(evaluate("fit(y, x)", curve(), axis).number, 48.0 / 49, 1e-12);
  EXPECT_THROW(evaluate("fit(k, x)", curve(), axis), InputError);
  EXPECT_THROW(evaluate("exponent(y - 3, x)", curve(), axis), InputError);
}

TEST(Expression, tells_a_name_that_ends_as_a_function_does_from_a_call_of_it) {
  std::vector<Names> along = curve();
  for (Names& names : along) names["a.slope"] = 5;
  EXPECT_NEAR(evaluate("a.slope + slope(z, x)", along, {1, 2, 4}).number, 7, 1e-12);
  auto const read = evaluate("slope( z, x ) == slope(z,x) && k > 1", curve(), {1, 2, 4}).read;
  EXPECT_EQ(read,
            (std::map<std::string, double>{{"k", 7}, {"slope( z, x )", 2}, {"slope(z,x)", 2}, {"x", 1}, {"z", 6}}));
  EXPECT_NO_THROW(check_names("a.slope < slope(z, x)", along.front(), true));
  EXPECT_THROW(check_names("slope(z, slope(z, x)) > 1", along.front(), true), InputError);
}

TEST(Expression, finds_where_two_curves_cross_between_the_steps) {
  // y - z is -3 at x = 1 and 4 at x = 2: zero at 1 + 3/7 on the line between
  std::vector<double> const axis{1, 2, 4};
  EXPECT_NEAR(evaluate("crossing(y, z)", curve(), axis).number, 1 + 3.0 / 7, 1e-12);
  EXPECT_EQ(evaluate("2 * crossing (x, 4)", curve(), axis).number, 8);
  EXPECT_THROW(evaluate("crossing(y, y + 1) != 5", curve(), axis), NoValue);
  EXPECT_EQ(evaluate("crossing(x, 4)", curve(), axis).number, 4);
}

TEST(Expression, refuses_a_name_that_varies_along_the_axis) {
  EXPECT_THROW(evaluate("x > 0", curve(), {1, 2, 4}), InputError);
  EXPECT_EQ(evaluate("k", curve(), {1, 2, 4}).number, 7);
}

}  // namespace
}  // namespace rondo
