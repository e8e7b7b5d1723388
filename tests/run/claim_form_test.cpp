// Which claims are refused because no record could refute them.

#include "run/families/claim_form.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "run/families/expression.hpp"

namespace rondo {
namespace {

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

}  // namespace
}  // namespace rondo
