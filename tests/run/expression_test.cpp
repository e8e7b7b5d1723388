#include "run/families/expression.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>
#include <tuple>

#include "base/error.hpp"
#include "run/families/claim_form.hpp"

namespace rondo {
namespace {

double value(std::string const& expression, Names const& names = {}) { return evaluate(expression, names).number; }

std::string error_of(std::string const& expression, Names const& names = {}) {
  try {
    evaluate(expression, names);
  } catch (InputError const& error) {
    return error.what();
  }
  return "no error";
}

TEST(Expression, computes_with_names_that_have_dots) {
  Names const names{{"torus.rounds", 6}, {"D", 6}, {"alpha", 1e-6}};
  EXPECT_EQ(value("torus.rounds == D", names), 1);
  EXPECT_EQ(value("torus.rounds*alpha", names), 6e-6);
  EXPECT_EQ(value("2^3 + ceil(1.5) - floor(1.5)"), 9);
  EXPECT_EQ(value("!(1 < 2) || 3 >= 3 && 1 != 2"), 1);
  EXPECT_EQ(value("max(1, 2, 3) + min(4, 5) + abs(-1)"), 8);
  EXPECT_EQ(value("max (1, 2, 3) + min\t(4, 5) * (abs  (-1) + 1)"), 11) << "blanks before a parenthesis";
}

TEST(Expression, reads_numbers_as_the_nearest_doubles) {
  EXPECT_EQ(value(".5 + 1. + 1.5e+1 + 25E-1"), 19);
  EXPECT_EQ(value("0.1 + 0.2"), 0.1 + 0.2);
  EXPECT_EQ(value("4.9e-324"), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(value("1e-400"), 0);
  EXPECT_EQ(value("1e-99999"), 0);
  EXPECT_EQ(value("1.7976931348623157e308"), std::numeric_limits<double>::max());
  EXPECT_EQ(error_of("1e309"), "expected a number below 1.8e308, got 1e309");
  EXPECT_EQ(error_of("1e99999"), "expected a number below 1.8e308, got 1e99999");
}

TEST(Expression, has_at_most_20000_characters) {
  std::string sum = "1";
  for (int term = 1; term < 10000; ++term) sum += "+1";
  EXPECT_EQ(value(sum), 10000);
  EXPECT_NE(error_of(sum + " +1").find("longer than 20000 characters"), std::string::npos);
}

TEST(Expression, near_is_relative_with_1e_minus_9_unless_said) {
  EXPECT_EQ(value("near(1, 1 + 0.9e-9)"), 1);
  EXPECT_EQ(value("near(1, 1 + 1.1e-9)"), 0);
  EXPECT_EQ(value("near(1e-12, 2e-12)"), 0);
  EXPECT_EQ(value("near(100, 101, 0.01)"), 1);
  EXPECT_EQ(value("near(100, 102, 0.01)"), 0);
  EXPECT_EQ(value("near(0, 0)"), 1);
  EXPECT_EQ(value("near(0, 1e-300)"), 0);
  EXPECT_NE(error_of("near(1)").find("near takes two values"), std::string::npos);
}

TEST(Expression, says_which_name_is_unknown_and_what_was_meant) {
  Names const names{{"torus.rounds", 6}, {"D", 6}};
  EXPECT_EQ(error_of("torus.round == D", names),
            "unknown name \"torus.round\"; did you mean \"torus.rounds\"? (fields of torus: rounds)");
  EXPECT_EQ(error_of("quantity", names), "unknown name \"quantity\" (known: D; fields of torus: rounds)");
  EXPECT_EQ(error_of("widht", {{"width", 1}, {"l", 2}}), "unknown name \"widht\"; did you mean \"width\"?");
  EXPECT_EQ(error_of("xyz", {{"width", 1}, {"l", 2}}), "unknown name \"xyz\"; known are l, width") << "no claim";
  EXPECT_EQ(error_of("torus.time", {{"torus.time", std::nullopt}}), "\"torus.time\" has no value here");
  EXPECT_NE(error_of("(1 + 2", {}).find("\"(1 + 2\""), std::string::npos);
  EXPECT_NE(error_of("", {}), "no error");
}

TEST(Expression, lists_what_is_known_where_an_unknown_name_stands) {
  Names const names{{"torus.time", 1},
                    {"torus.rounds", 6},
                    {"torus.critical", 6},
                    {"torus.optimal.rounds", 1},
                    {"straightforward.time", 2},
                    {"p", 9},
                    {"m", 1}};
  std::string const fields = "(fields of torus: time, rounds, ...; rondo list fields has all)";
  std::string const functions =
      "(functions: abs, ceil, crossing, exp, exponent, fit, floor, ln, log10, log2, max, min, near, slope, sqrt, sum)";
  // An algorithm, a field, both; an algorithm alone, a field alone; a function; neither.
  EXPECT_EQ(error_of("direct.time < 1", names),
            "unknown name \"direct.time\" (names before a dot: straightforward, torus)");
  EXPECT_EQ(error_of("tours.time < 1", names),
            "unknown name \"tours.time\"; did you mean \"torus.time\"? (names before a dot: straightforward, torus)");
  EXPECT_EQ(error_of("torus.tme < 1", names), "unknown name \"torus.tme\"; did you mean \"torus.time\"? " + fields);
  EXPECT_EQ(error_of("torus.optimum < 1", names), "unknown name \"torus.optimum\" " + fields)
      << "critical is another word";
  EXPECT_EQ(error_of("torus.optimal", names),
            "unknown name \"torus.optimal\", which is text; torus.optimal.rounds, .volume, .critical, .total, "
            ".messages and .volume_in_rounds are true or false");
  EXPECT_EQ(error_of("torus < 1", names),
            "unknown name \"torus\": after \"torus\" a dot and a field are expected (time, rounds, ...; rondo list "
            "fields has all)");
  EXPECT_EQ(error_of("straightforward < 1", names),
            "unknown name \"straightforward\": after \"straightforward\" a dot and a field are expected (time)");
  EXPECT_EQ(error_of("nera(torus.time, 1, 0.1)", names),
            "unknown function \"nera\"; did you mean \"near\"? " + functions);
  EXPECT_EQ(error_of("root (m) < 1", names), "unknown function \"root\" " + functions);
  EXPECT_EQ(error_of("time < 1", names),
            "unknown name \"time\"; did you mean \"straightforward.time\"? (known: m, p; fields of straightforward, "
            "torus: time)");
  EXPECT_EQ(error_of("q < 1", names), "unknown name \"q\" (known: m, p; fields of straightforward, torus: time)");
  EXPECT_EQ(error_of("alpha < 1", names),
            "unknown name \"alpha\", which only \"linear\" timing without \"pieces\" has");
}

struct NotFinite {
  char const* expression;
  char const* operand;
};

TEST(Expression, says_which_operand_is_no_finite_number) {
  Names const names{{"x", 3}, {"none", 0}, {"t", std::numeric_limits<double>::infinity()}};
  for (NotFinite const& each : {
           NotFinite{"near(x/0, 5)", "3 / 0"},
           NotFinite{"near(x/0, x/0)", "3 / 0"},
           NotFinite{"!(0/0 < 1)", "0 / 0"},
           NotFinite{"0/0 != 0/0", "0 / 0"},
           NotFinite{"0/0 ? 1 : 0", "0 / 0"},
           NotFinite{"sqrt(-1) != 0", "sqrt(-1)"},
           NotFinite{"x/none > 1", "3 / 0"},
           NotFinite{"1 < 2 || x/none < 1", "3 / 0"},
           NotFinite{"!(0/0)", "0 / 0"},
           NotFinite{"ln(none) < 0", "ln(0)"},
           NotFinite{"log2(-1) != 1", "log2(-1)"},
           NotFinite{"t > 1", "t = inf"},
           NotFinite{"(-8)^(1/3) != 2", "-8 ^ 0.333333333333"},
           NotFinite{"exp(1000) > 1", "exp(1000)"},
           NotFinite{"10^300*10^300 > 1", "1e+300 * 1e+300"},
           NotFinite{"x/none", "3 / 0"},
           NotFinite{"max(1, 0/0) == 1", "0 / 0"},
           NotFinite{"1e308 + 1e308 > 1", "1e+308 + 1e+308"},
       }) {
    EXPECT_EQ(evaluate(each.expression, names).not_finite, each.operand) << each.expression;
  }
  EXPECT_EQ(evaluate("x > 1 ? x == 3 : 1/none", names).not_finite, "") << "the other branch is not computed";
  EXPECT_EQ(evaluate("x > 1 ? x == 3 : 1/0 > 2", names).not_finite, "") << "the other branch is not computed";
  EXPECT_EQ(evaluate("near(x, 3) && x/3 == 1 && -x < 0", names).not_finite, "");
}

TEST(Expression, keeps_the_precedence_of_its_operators) {
  EXPECT_EQ(value("2^3^2"), 512);
  EXPECT_EQ(value("-2^2"), -4);
  EXPECT_EQ(value("1 + 2*3 - 8/4/2"), 6);
  EXPECT_EQ(value("7 - 2 - 1"), 4);
  EXPECT_EQ(value("1 || 0 && 0"), 1);
  EXPECT_EQ(value("1 + 1 == 2 && 3 > 2 + 0"), 1);
  EXPECT_EQ(value("1 < 2 ? 3 : 4"), 3);
  EXPECT_EQ(value("2 < 1 ? 3 : 1 ? 5 : 6"), 5);
  EXPECT_EQ(value("3<-2"), 0);
}

TEST(Expression, of_a_claim_that_holds_whatever_is_measured_is_refused) {
  Names const known{{"a.time", {}}, {"a.time_s", {}}, {"b.time", {}}, {"a.rounds", {}}, {"b.rounds", {}}, {"D", 6}};
  Aliases const aliases{{"time_s", "time"}};
  auto const refused = [&](std::string const& claim, bool along) {
    try {
      check_claim(claim, known, along, aliases);
      return false;
    } catch (InputError const&) {
      return true;
    }
  };
  for (std::string const claim : {"a.time == a.time_s",
                                  "a.time <= max(a.time, D)",
                                  "a.time <= max(a.time_s, D)",
                                  "min(a.time, 1) <= 1",
                                  "floor(a.time) != 0.5",
                                  "abs(a.time) >= 0",
                                  "a.time - a.time == 0",
                                  "a.time / a.time == 1",
                                  "a.time*0 == 0",
                                  "near(a.time, a.time_s)",
                                  "a.time < b.time || a.time_s >= b.time",
                                  "ceil(a.time) >= floor(a.time)",
                                  "a.time^2 >= 0",
                                  "(a.time - b.time)^2 >= 0",
                                  "max(a.time, b.time) >= min(a.time, b.time)",
                                  "a.time - floor(a.time) < 1",
                                  "floor(a.rounds) == a.rounds",
                                  "a.rounds != 2.5",
                                  "sqrt(a.time) >= 0",
                                  "(a.time + b.time) - b.time == a.time_s || a.time > 0 || a.time == 0",
                                  "a.time * 3 / 3 == a.time",
                                  "near(a.time*3/3, a.time_s)",
                                  "exp(a.time) >= 1",
                                  "a.rounds + 1 > a.rounds",
                                  "abs(a.time - b.time) + 1 > 0.5",
                                  "a.time > b.time ? a.time >= b.time : b.time >= a.time",
                                  "2*a.time >= a.time",
                                  "a.rounds + 0.5 != b.rounds"}) {
    EXPECT_TRUE(refused(claim, false)) << claim;
  }
  for (std::string const claim :
       {"fit(a.time, D) <= 1", "fit(a.time, D) >= 0", "slope(a.time, D) == slope(a.time_s, D)",
        "slope(a.time, D)^2 >= 0", "fit(a.time, D) < 1.5"}) {
    EXPECT_TRUE(refused(claim, true)) << claim;
  }
  for (std::string const claim :
       {"a.time == b.time", "a.time <= max(b.time, D)", "min(a.time, 1) < 1", "floor(a.time) != 1", "a.time != 1.5",
        "a.rounds != b.rounds + 1", "a.time != 2*b.time + D", "near(a.time, b.time, 0.5)", "a.rounds == 2*D",
        "a.time <= b.time*(1 + 1e-9)", "a.time < b.time || a.time > b.time", "a.time < 1e-9", "a.time < 1e9",
        "a.rounds >= 12", "a.time / b.time < 1000", "a.time < 1 || b.time < 1", "a.time > 0"}) {
    EXPECT_FALSE(refused(claim, false)) << claim;
  }
  for (std::string const claim : {"fit(a.time, D) > 0.999", "slope(a.time, D) > 0", "exponent(a.time, D) < 1.1"}) {
    EXPECT_FALSE(refused(claim, true)) << claim;
  }
}

TEST(Expression, of_a_claim_that_holds_wherever_it_is_judged_is_refused) {
  Aliases const aliases{{"time_s", "time"}};
  auto const refused = [&](std::string const& claim, std::string const& condition) {
    try {
      check_condition(claim, condition, aliases);
      return false;
    } catch (InputError const&) {
      return true;
    }
  };
  using Pair = std::pair<std::string, std::string>;
  for (auto const& [claim, condition] : {Pair{"a.time > 1e-6", "a.time > 2e-6"},
                                         {"a.time > b.time", "a.time > b.time"},
                                         {"a.time_s > b.time", "b.time < a.time"},
                                         {"a.rounds < b.rounds", "a.rounds + 1 < b.rounds"},
                                         {"a.time <= b.time || D > 3", "a.time < b.time"},
                                         {"a.delivered", "a.delivered && a.rounds > 3"},
                                         {"a.time != b.time", "a.time > b.time"},
                                         {"m >= 10", "m > 20"},
                                         {"a.time + b.time > 3", "min(a.time, b.time) > 2"},
                                         {"a.time / b.time < 1.5", "a.time < b.time"}}) {
    EXPECT_TRUE(refused(claim, condition)) << claim << " when " << condition;
  }
  for (auto const& [claim, condition] : {Pair{"a.time < b.time", "m < m_cut"},
                                         {"a.rounds == 6", "p == 64 && m == 1024"},
                                         {"a.rounds == 6", "p == 64 && m == 1024 && D == 6 && a.rounds < 100"},
                                         {"a.time < b.time", "a.rounds < b.rounds"},
                                         {"a.time > 2e-6", "a.time > 1e-6"},
                                         {"a.time < b.time", "a.time <= b.time"},
                                         {"a.time <= b.time", "a.time <= b.time*(1 + 1e-9)"},
                                         {"near(a.time, b.time)", "a.time <= b.time"}}) {
    EXPECT_FALSE(refused(claim, condition)) << claim << " when " << condition;
  }
}

TEST(Expression, of_a_claim_compares_something) {
  Names const known{{"torus.time", std::nullopt}, {"torus.delivered", std::nullopt}, {"D", 6}, {"cumulative", 1}};
  auto const refused = [&](std::string const& claim, bool along = false) {
    try {
      check_claim(claim, known, along);
    } catch (InputError const& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  for (std::string const claim :
       {"torus.time", "1", "torus.time - D", "(D == 6) * torus.time", "!torus.time", "torus.time && torus.delivered",
        "D ? torus.time : 1", "-torus.delivered * D", "torus.delivered + 1", "max(torus.delivered, 1)",
        "exp(torus.delivered)", "torus.time > 1 || 1", "1 || torus.time > 1", "(torus.time > 1) ? 1 : 1", "-(1 > 0)",
        "(D == 6) * 1", "floor(torus.delivered)", "1 < 2", "D > 3 && near(1, 2, 0.9)", "torus.time == torus.time",
        "near(2*D, D*2)", "-(-(torus.time > 0))", "+torus.delivered", "D > 3 ? 1 < 2 : D < 2",
        "floor(D) ? 1 < 2 : (1 < 2 && 1 < 2)", "floor(D / 100) ? torus.time < 1 : torus.time < 2",
        "D > 3 ? torus.time < 1 : (D < 2 ? 1 < 2 : D < 1)", "torus.delivered == torus.delivered",
        "torus.delivered >= 0", "torus.delivered != 7", "near(torus.delivered, 1)",
        "torus.delivered || !torus.delivered", "cumulative && !cumulative", "torus.time < D || torus.time >= D",
        "torus.time < D || D <= torus.time", "(D > 2) != (D <= 2)", "D > 2 ? D > 2 : D < 2 || D == 2",
        // What is measured is never negative.
        "torus.time >= 0", "torus.time > -1", "0 <= torus.time + D", "abs(torus.time - D) >= 1 - 1", "torus.time < 0",
        "D > 2 && torus.time != -1"}) {
    EXPECT_EQ(refused(claim),
              "\"" + claim +
                  "\" compares nothing: expected a comparison that depends on a result, near(a, b), or a truth "
                  "value such as ALGORITHM.delivered");
  }
  for (std::string const claim :
       {"slope(torus.time, D)", "exponent(D, D) == 1", "fit(2*D, D + D) > 0.9", "slope(3, D) < 1",
        "crossing(torus.time, torus.time) > 1", "slope(torus.time, D) == slope( torus.time,D )"}) {
    EXPECT_NE(refused(claim, true), "accepted") << claim;
  }
  EXPECT_NE(refused("slope(torus.time, D) * (D > 1)", true), "accepted");
  for (std::string const claim :
       {"torus.time < 1", "near(torus.time, D)", "torus.delivered", "!torus.delivered", "torus.delivered && cumulative",
        "!(torus.time > 1)", "D > 3 ? torus.time < 1 : D < 2", "torus.time < 1 || cumulative",
        "(torus.time < 1) == (D > 2)", "floor(torus.time/100) == ceil(D/7)", "near(torus.time, D, 0.99)",
        // What seldom turns out otherwise is compared all the same, and so is what only some values lead to.
        "torus.delivered == 1", "max(torus.time - 1e6, 0) == 0", "min(torus.time, 1e-6) < 1e-6",
        "floor(D / 100) != 0 ? torus.time < 1 : (torus.time < 2 || torus.time < 3)", "0 != torus.delivered",
        "torus.delivered != cumulative", "torus.time < (D > 3 ? 1 : 2)", "torus.time < D || torus.time > D",
        "-torus.time^-2*3 < 1e-3 - D", "torus.time > 0", "torus.time != 0", "torus.time - D >= 0", "torus.time <= 0",
        "(D <= 2) == (torus.time > 2e+3)"}) {
    EXPECT_EQ(refused(claim), "accepted");
  }
  EXPECT_EQ(refused("exponent(torus.time, D) < 2 && slope(torus.time, D) > 1", true), "accepted");
  EXPECT_EQ(refused("near(crossing(torus.time, 5e-6), D > 7 ? 2 : 3, 1/8)", true), "accepted");
  EXPECT_EQ(refused("near(torus.time, D, 1/D)"),
            "\"near(torus.time, D, 1/D)\": expected a constant relative tolerance from 0 to below 1 for near, got 1/D");
  EXPECT_EQ(refused("near(torus.time, D, D/8)"),
            "\"near(torus.time, D, D/8)\": expected a constant relative tolerance from 0 to below 1 for near, got D/8");
  std::string const deep = std::string(65, '(') + "D" + std::string(65, ')') + " < torus.time";
  EXPECT_NE(refused(deep).find("nests more than 64 deep"), std::string::npos) << refused(deep);
  std::string longest = "torus.time < D";
  for (int k = 0; k < 150; ++k) longest += fmt::format(" || torus.time < {} * D", k + 2);
  EXPECT_EQ(refused(longest), "accepted");
  for (std::string const tolerance : {"1", "1e300", "-0.1"}) {
    EXPECT_EQ(refused("near(torus.time, D, " + tolerance + ")"),
              "\"near(torus.time, D, " + tolerance +
                  ")\": expected a constant relative tolerance from 0 to below 1 for near, got " +
                  (tolerance == "1e300" ? "1e+300" : tolerance));
  }
  EXPECT_THROW(evaluate("near(a, 1, 2*a)", Names{{"a", 1}}), InputError);
}

TEST(Expression, reports_the_values_it_read) {
  auto const read = evaluate("a < b", Names{{"a", 1}, {"b", 2}, {"c", 3}}).read;
  EXPECT_EQ(read, (std::map<std::string, double>{{"a", 1}, {"b", 2}}));
}

std::vector<Names> curve() {  // y = 3 x^2 at x = 1, 2, 4; z = 4 + 2 x
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

TEST(Expression, refuses_an_assignment_and_says_what_looking_along_an_axis_needs) {
  Names const names{{"m", 5}};
  std::string const meant = " means nothing here; did you mean \"==\"?";
  EXPECT_EQ(error_of("m = 5", names), "\"m = 5\": \"=\" at position 3" + meant);
  EXPECT_EQ(error_of("m == = 5", names), "\"m == = 5\": \"=\" at position 6" + meant);
  EXPECT_EQ(value("m <= 5 && m >= 5 && m != 6 && m == 5", names), 1);
  EXPECT_EQ(error_of("slope(m, m)", names),
            "slope needs the key \"over\" of the claim, and cannot stand inside such a function");
}

// Words of Python, SQL, Fortran and of people: each is said with the one that is meant.
TEST(Expression, knows_the_words_that_other_languages_have_for_its_operators) {
  for (auto const& [expression, position, theirs, ours] : {std::tuple{"m < 3 and m > 1", 7, "and", "&&"},
                                                           {"m < 3 OR m > 1", 7, "OR", "||"},
                                                           {"not m < 3", 1, "not", "!"},
                                                           {"not(m < 3)", 1, "not", "!"},
                                                           {"m < 3 & m > 1", 7, "&", "&&"},
                                                           {"m < 3 | m > 1", 7, "|", "||"},
                                                           {"m => 3", 3, "=>", ">="},
                                                           {"m =< 3", 3, "=<", "<="},
                                                           {"m <> 3", 3, "<>", "!="},
                                                           {"m ** 2 > 1", 3, "**", "^"},
                                                           {"pow(m, 2) > 1", 1, "pow", "^"},
                                                           {"m \u2264 3", 3, "\u2264", "<="},
                                                           {"m > 1 == true", 10, "true", "1"}}) {
    EXPECT_EQ(error_of(expression, {{"m", 2}}),
              fmt::format("\"{}\": \"{}\" at position {} means nothing here; did you mean \"{}\"?", expression, theirs,
                          position, ours));
  }
  EXPECT_EQ(value("or + and", {{"or", 1}, {"and", 2}}), 3) << "names of somebody's own";
}

TEST(Expression, says_what_is_expected_and_where) {
  std::string const unit = "; numbers have no units here: sizes are in bytes, times in seconds";
  for (auto const& [expression, said] : {std::pair{"m *", "expected a number, a name or ( at position 4, got the end"},
                                         {"m / * 2", "expected a number, a name or ( at position 5, got \"*\""},
                                         {"m 3", "expected an operator or the end at position 3, got \"3\""},
                                         {"(m + 1", "expected an operator or ) at position 7, got the end"},
                                         {"m + 1)", "expected an operator or the end at position 6, got \")\""},
                                         {"max(m, 1", "expected an operator, a comma or ) at position 9, got the end"},
                                         {"m, 1", "expected an operator or the end at position 2, got \",\""},
                                         {"m ? 1", "expected an operator or : at position 6, got the end"},
                                         {"--m", "expected a number, a name or ( at position 2, got \"-\""},
                                         {"\"x\"", "expected a number, a name or ( at position 1, got \"\"\""},
                                         {"1..2", "expected an operator or the end at position 3, got \".2\""},
                                         {"sqrt(m, 1)", "sqrt takes one value, got several"}}) {
    EXPECT_EQ(error_of(expression, {{"m", 2}}), fmt::format("\"{}\": {}", expression, said));
  }
  EXPECT_EQ(error_of("m < 64KiB", {{"m", 2}}),
            "\"m < 64KiB\": expected an operator or the end at position 7, got \"KiB\"" + unit);
  EXPECT_EQ(error_of("m < 5 us", {{"m", 2}}),
            "\"m < 5 us\": expected an operator or the end at position 7, got \"us\"" + unit);
}

TEST(Expression, checks_names_before_there_are_values) {
  Names const known{{"a", std::nullopt}, {"b", std::nullopt}};
  EXPECT_NO_THROW(check_names("a/b > 0", known, false));
  EXPECT_NO_THROW(check_names("exponent(a, b) > 0", known, true));
  EXPECT_THROW(check_names("exponent(a, c) > 0", known, true), InputError);
  EXPECT_THROW(check_names("exponent(a, b) > 0", known, false), InputError);  // no axis to look along
  EXPECT_THROW(check_names("exponent(a, b", known, true), InputError);
}

}  // namespace
}  // namespace rondo
