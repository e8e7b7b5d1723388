#include "run/families/expression.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>
#include <tuple>

#include "base/error.hpp"

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

TEST(Expression, reports_the_values_it_read) {
  auto const read = evaluate("a < b", Names{{"a", 1}, {"b", 2}, {"c", 3}}).read;
  EXPECT_EQ(read, (std::map<std::string, double>{{"a", 1}, {"b", 2}}));
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
