#include "run/points/judge.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"

namespace rondo {
namespace {

using scenario::Claim;
using Status = Judgement::Status;

PointResult result(int number, std::string const& block, std::string const& algorithm, double time) {
  PointResult r;
  r.point.number = number;
  r.point.axes = {{"/block", block}, {"/algorithm", algorithm}};
  r.record.algorithm = algorithm;
  r.record.time_s = time;
  r.record.rounds = 6;
  r.record.violations = 0;
  r.record.delivered = true;
  r.problem = {{"m", block == "1B" ? 1.0 : 1024.0}, {"D", 6}};
  return r;
}

/// slow takes 2 s at both sizes, fast 1 s at 1 B and 3 s at 1 KiB.
std::vector<PointResult> sweep() {
  return {result(1, "1B", "slow", 2), result(2, "1B", "fast", 1), result(3, "1KiB", "slow", 2),
          result(4, "1KiB", "fast", 3)};
}

Judgement judged(Claim claim, std::vector<PointResult> const& results = sweep()) {
  claim.place = "/expect/0";
  return judge({claim}, results, "f.json").at(0);
}

std::string refusal(Claim claim) {
  claim.place = "/expect/0";
  try {
    check_claims({claim}, sweep(), "f.json");
  } catch (InputError const& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Judge, compares_algorithms_at_each_point_of_the_other_axes) {
  Judgement const j = judged({.claim = "c", .that = "slow.rounds == D && fast.rounds == D"});
  EXPECT_EQ(j.status, Status::holds);
  EXPECT_EQ(j.judged, 2);
}

TEST(Judge, looks_along_an_axis_whatever_is_swept_in_step_with_it) {
  // The time is 2 s a doubling of the ranks; points go with ranks, seeds do not.
  std::vector<PointResult> results;
  for (int const seed : {1, 2}) {
    for (int const ranks : {4, 8, 16}) {
      PointResult r = result(static_cast<int>(results.size()) + 1, "1B", "nbx", 2 * std::log2(ranks));
      r.point.axes = {{"/seed", seed}, {"/ranks", ranks}, {"/points", 1000 * ranks}};
      r.problem = {{"p", ranks}};
      results.push_back(r);
    }
  }
  Judgement const j = judged({.claim = "c", .that = "near(slope(nbx.time, log2(p)), 2)", .over = "/ranks"}, results);
  EXPECT_EQ(j.status, Status::holds) << j.detail;
  EXPECT_EQ(j.judged, 2) << "a combination for each seed";
}

TEST(Judge, says_where_a_claim_fails_and_with_which_values) {
  Judgement const j = judged({.claim = "c", .that = "fast.time < slow.time"});
  EXPECT_EQ(j.status, Status::fails);
  EXPECT_EQ(j.passed, 1);
  EXPECT_EQ(j.judged, 2);
  EXPECT_EQ(j.detail, "at /block=\"1KiB\": fast.time < slow.time with fast.time = 3, slow.time = 2");
}

TEST(Judge, judges_only_where_when_holds_and_a_claim_that_is_never_judged_is_idle) {
  EXPECT_EQ(judged({.claim = "c", .that = "fast.time < slow.time", .when = "m < 10"}).status, Status::holds);
  EXPECT_EQ(judged({.claim = "c", .that = "fast.time < slow.time", .when = "m < 0"}).status, Status::idle);
}

TEST(Judge, looks_along_an_axis) {
  Claim const claim{.claim = "c", .that = "near(crossing(fast.time, slow.time), 512.5)", .over = "/block"};
  Judgement const j = judged(claim);
  EXPECT_EQ(j.status, Status::holds) << j.detail;
  EXPECT_EQ(j.judged, 1);
}

TEST(Judge, a_crossing_that_is_not_there_fails_the_claim) {
  Judgement const j = judged({.claim = "c", .that = "crossing(fast.time, slow.time + 9) > 0", .over = "/block"});
  EXPECT_EQ(j.status, Status::fails);
  EXPECT_NE(j.detail.find("the curves do not cross"), std::string::npos) << j.detail;
  Claim const idle{.claim = "c", .that = "1", .when = "crossing(fast.time, slow.time + 9) > 0", .over = "/block"};
  EXPECT_EQ(judged(idle).status, Status::fails);
}

TEST(Judge, a_claim_that_is_no_finite_number_fails) {
  EXPECT_EQ(judged({.claim = "c", .that = "1/0"}).status, Status::fails);
  EXPECT_EQ(judged({.claim = "c", .that = "0/0"}).status, Status::fails);
  EXPECT_EQ(judged({.claim = "c", .that = "1", .when = "0/0"}).status, Status::fails);
}

// fast takes 1 s at 1 B and 3 s at 1 KiB, slow 2 s at both: "fast is faster" holds at one of two.
TEST(Judge, finds_what_a_source_states_refuted_only_where_a_value_contradicts_it) {
  using enum scenario::ClaimVerdict;
  std::optional<std::string> const why = "it is slower at 1 KiB";
  Judgement const j = judged({.claim = "c", .that = "fast.time < slow.time", .correction = why, .verdict = refuted});
  EXPECT_EQ(j.status, Status::refuted);
  EXPECT_EQ(j.passed, 1);
  EXPECT_EQ(j.detail, "at /block=\"1KiB\": fast.time < slow.time with fast.time = 3, slow.time = 2");
  EXPECT_EQ(judged({.claim = "c", .that = "fast.time < 1", .correction = why, .verdict = unexplained}).status,
            Status::unexplained);
  Judgement const true_after_all =
      judged({.claim = "c", .that = "fast.time < 9", .correction = why, .verdict = refuted});
  EXPECT_EQ(true_after_all.status, Status::fails);
  EXPECT_EQ(true_after_all.detail, "it holds everywhere, though its verdict is \"refuted\"");
  Claim const without_value{.claim = "c",
                            .that = "crossing(fast.time, slow.time + 9) > 0",
                            .over = "/block",
                            .correction = why,
                            .verdict = unexplained};
  EXPECT_EQ(judged(without_value).status, Status::fails) << "curves that do not cross contradict no size";
  Claim const nowhere{.claim = "c", .that = "0", .when = "m < 0", .correction = why, .verdict = refuted};
  EXPECT_EQ(judged(nowhere).status, Status::idle);
}

TEST(Judge, a_failed_point_leaves_its_claims_unjudged) {
  auto results = sweep();
  results[1].record.time_s.reset();
  results[1].record.error = "deadlock: all wait";
  Judgement const j = judged({.claim = "c", .that = "fast.time < slow.time"}, results);
  EXPECT_EQ(j.status, Status::unjudged);
  EXPECT_EQ(j.detail, "at /block=\"1B\": point 2 has no result: deadlock: all wait");
}

/// The second has no value at 1 B, the third no logarithm; before, the first and the last were never judged.
TEST(Judge, a_claim_that_cannot_be_evaluated_costs_no_other_its_judgement) {
  auto results = sweep();
  results[1].record.bound.rounds.reset();
  results[3].record.bound.rounds = 3;
  std::vector<Claim> claims;
  for (char const* that :
       {"fast.time < 9", "fast.bound_rounds == 3", "exponent(fast.time - 1, m) > 0", "fast.time > 9"}) {
    claims.push_back({.claim = that, .that = that, .place = fmt::format("/expect/{}", claims.size())});
  }
  claims[2].over = "/block";
  auto const all = judge(claims, results, "f.json");
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[0].status, Status::holds);
  EXPECT_EQ(all[1].status, Status::wrong);
  EXPECT_EQ(all[1].detail, "f.json: /expect/1: at /block=\"1B\": \"fast.bound_rounds\" has no value here");
  EXPECT_EQ(all[1].passed, 1) << "it holds at 1 KiB";
  EXPECT_EQ(all[2].status, Status::wrong);
  EXPECT_EQ(all[2].detail, "f.json: /expect/2: an exponent needs values greater than 0, got 0");
  EXPECT_EQ(all[3].status, Status::fails);
}

TEST(Judge, knows_a_claim_that_expects_violations) {
  // Points 2 and 4 are fast's at 1 B and 1 KiB; a claim that is not judged at a point reads nothing of it.
  EXPECT_EQ(judged({.claim = "c", .that = "fast.violations == 0"}).validity_read, (std::set<int>{2, 4}));
  EXPECT_EQ(judged({.claim = "c", .that = "fast.violations == 0", .when = "m < 10"}).validity_read, (std::set<int>{2}));
  EXPECT_EQ(judged({.claim = "c", .that = "fast.rounds > 0"}).validity_read, std::set<int>{});
}

TEST(Judge, refuses_what_no_result_can_mend) {
  EXPECT_EQ(refusal({.claim = "c", .that = "quick.time > 0"}),
            "f.json: /expect/0: unknown name \"quick.time\" (names before a dot: fast, slow)");
  EXPECT_EQ(refusal({.claim = "c", .that = "fast.tim > 0"}),
            "f.json: /expect/0: unknown name \"fast.tim\"; did you mean \"fast.time\"? (fields of fast: time, rounds, "
            "volume, bytes, messages, delivered, theory_time, bound_time, bound_rounds, gap.volume, ...; rondo list "
            "fields has all)");
  EXPECT_EQ(refusal({.claim = "c", .that = "1", .across = "/block"}),
            "f.json: /expect/0/across: the values of \"/block\" must be names to be told apart in a claim, got \"1B\"");
  EXPECT_EQ(refusal({.claim = "c", .that = "crossing(fast.time, slow.time) > 0", .over = "/block"}), "accepted");
}

// Each held until every operand had to be finite; the first is what a wrong name of a time that is 0 makes of a claim.
TEST(Judge, fails_a_claim_that_would_hold_on_no_number) {
  for (auto const& [that, operand] :
       {std::pair("near(slow.time/(D - 6), 5)", "2 / 0"), std::pair("!(0/0 < 1)", "0 / 0"),
        std::pair("0/0 != 0/0", "0 / 0"), std::pair("0/0 ? 1 : 0", "0 / 0"), std::pair("sqrt(-1) != 0", "sqrt(-1)")}) {
    Judgement const j = judged({.claim = "c", .that = that});
    EXPECT_EQ(j.status, Status::fails) << that;
    EXPECT_EQ(j.passed, 0) << that;
    EXPECT_NE(j.detail.find(std::string(": ") + operand + " is no finite number"), std::string::npos) << j.detail;
  }
  Judgement const when = judged({.claim = "c", .that = "D == 6", .when = "!(0/0 < 1)"});
  EXPECT_EQ(when.status, Status::fails);
  EXPECT_NE(when.detail.find("\"when\": 0 / 0 is no finite number"), std::string::npos) << when.detail;
}

TEST(Judge, reads_each_field_that_is_a_number_by_the_name_that_records_have) {
  PointResult r = result(1, "1B", "fast", 1);
  r.record.volume_blocks = 9;
  r.record.bound.rounds = 3;
  r.record.bound.volume_blocks = 9;
  r.record.bound.received_blocks = 5;
  r.record.theory.time_s = 2;
  r.record.wall_s = 0.5;
  r.record.optimal = "volume critical";
  // The bound of the volume is reached, that of the 6 rounds is half of them.
  for (char const* that :
       {"fast.gap.volume == 1", "fast.gap.rounds == 2", "fast.bound.received_blocks == 5", "fast.bound_volume == 9",
        "fast.theory.time_s == 2 * fast.time_s", "fast.wall_s < 1", "fast.optimal.volume && fast.optimal.critical",
        "!fast.optimal.rounds", "fast.optimal.total == 0"}) {
    EXPECT_EQ(judged({.claim = "c", .that = that}, {r}).status, Status::holds) << that;
    EXPECT_EQ(refusal({.claim = "c", .that = that}), "accepted") << that;
  }
  r.record.violations.reset();  // nothing was proved, so that nothing is known to be optimal
  Judgement const unproved = judged({.claim = "c", .that = "!fast.optimal.rounds"}, {r});
  EXPECT_EQ(unproved.status, Status::wrong);
  EXPECT_EQ(unproved.detail, "f.json: /expect/0: at /block=\"1B\": \"fast.optimal.rounds\" has no value here");
  EXPECT_NE(refusal({.claim = "c", .that = "fast.optimal.rounds < 2"}).find("compares nothing"), std::string::npos);
}

TEST(Judge, refuses_a_claim_that_compares_nothing) {
  EXPECT_NE(refusal({.claim = "c", .that = "slow.time"}).find("f.json: /expect/0: \"slow.time\" compares nothing"),
            std::string::npos);
  EXPECT_NE(refusal({.claim = "c", .that = "D == 6", .when = "m"}).find("\"m\" compares nothing"), std::string::npos);
}

}  // namespace
}  // namespace rondo
