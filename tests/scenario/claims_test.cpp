#include <gtest/gtest.h>

#include <string>

#include "sample.hpp"

namespace rondo::scenario {
namespace {

constexpr char const* swept = R"({"/algorithm": ["torus", "straightforward"], "/block": ["1B", "2B"]})";

std::vector<Claim> claims_of(std::string const& expect, std::string const& sweep = swept) {
  return claims(sample(R"({"sweep": )" + sweep + R"(, "expect": )" + expect + "}"), "s.json");
}

TEST(Claims, keep_their_order_and_their_place) {
  std::vector<Claim> const all = claims_of(R"([
    {"claim": "rounds", "that": "torus.rounds == D"},
    {"claim": "growth", "that": "slope(time, m) > 0", "when": "m > 1", "over": "/block"},
    {"claim": "other", "that": "1", "across": "/block", "over": "/algorithm"}])");
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].claim, "rounds");
  EXPECT_EQ(all[0].that, "torus.rounds == D");
  EXPECT_EQ(all[0].when, std::nullopt);
  EXPECT_EQ(all[0].across, "/algorithm");
  EXPECT_EQ(all[0].over, std::nullopt);
  EXPECT_EQ(all[0].place, "/expect/0");
  EXPECT_EQ(all[1].when, "m > 1");
  EXPECT_EQ(all[1].over, "/block");
  EXPECT_EQ(all[2].across, "/block");
  EXPECT_EQ(all[2].place, "/expect/2");
}

TEST(Claims, may_be_absent_and_need_no_sweep) {
  EXPECT_TRUE(claims(sample(), "s.json").empty());
  EXPECT_EQ(claims(sample(R"({"expect": [{"claim": "c", "that": "torus.rounds == D"}]})"), "s.json").size(), 1u);
  EXPECT_EQ(
      claims_of(R"([{"claim": "c", "that": "1", "over": "/seed"}])", R"([{"/block": ["1B"], "/seed": [3]}])").size(),
      1u);
}

TEST(Claims, refusals) {
  struct Case {
    std::string expect;
    std::string message;
  };
  for (
      Case const& c : {
          Case{R"({"claim": "c"})", R"(/expect: expected a list of claims, got {"claim":"c"})"},
          Case{"[1]",
               R"(/expect/0: expected an object such as {"claim": "six rounds", "that": "torus.rounds == 6"}, got 1)"},
          Case{
              R"([{"claim": "c"}])",
              R"(/expect/0: missing key "that" (a non-empty expression: the expression that must be true, such as torus.rounds == D))"},
          Case{R"([{"claim": "", "that": "1"}])", R"(/expect/0/claim: expected a non-empty string, got "")"},
          Case{R"([{"claim": "c", "that": ""}])", R"(/expect/0/that: expected a non-empty expression, got "")"},
          Case{R"([{"claim": "c", "that": true}])", "/expect/0/that: expected a non-empty expression, got true"},
          Case{R"([{"claim": "c", "that": "1", "when": ""}])",
               R"(/expect/0/when: expected a non-empty expression, got "")"},
          Case{R"([{"claim": "c", "that": "1", "verdict": "refuted"}])",
               R"(/expect/0: expected a correction beside the verdict "refuted", got none)"},
          Case{
              R"([{"claim": "c", "that": "1", "verdict": "refuded"}])",
              R"(/expect/0/verdict: expected one of "holds", "refuted", "explained", "unexplained", got "refuded"; did you mean "refuted"?)"},
          Case{R"([{"claim": "c", "that": "1", "wen": "1"}])", R"(/expect/0: unknown key "wen"; did you mean "when"?)"},
          Case{R"([{"claim": "c", "that": "1"}, {"claim": "d", "that": "1", "across": "/blok"}])",
               R"(/expect/1/across: expected a swept JSON pointer, got "/blok"; did you mean "/block"?)"},
          Case{R"([{"claim": "c", "that": "1", "over": "/seed"}])",
               R"(/expect/0/over: expected a swept JSON pointer, got "/seed"; swept: "/algorithm", "/block")"},
          Case{R"([{"claim": "c", "that": "1", "over": "/algorithm"}])",
               R"(/expect/0/over: expected another pointer than across, got "/algorithm" for both)"},
      }) {
    EXPECT_EQ(refusal([&] { claims_of(c.expect); }), "s.json: " + c.message) << c.expect;
  }
  Json const unswept = sample(R"({"expect": [{"claim": "c", "that": "1", "over": "/block"}]})");
  EXPECT_EQ(refusal([&] { claims(unswept, "s.json"); }),
            R"(s.json: /expect/0/over: expected a swept JSON pointer, got "/block"; nothing is swept)");
}

}  // namespace
}  // namespace rondo::scenario
