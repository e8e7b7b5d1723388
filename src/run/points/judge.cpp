// Evaluates claims over groups of points. A claim fails at a combination where an operand has no value (an algorithm
// that was refused there), and the opposite of the claim is not confirmed there either.

#include "run/points/judge.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "run/families/claim_form.hpp"
#include "run/points/claim_groups.hpp"
#include "run/points/fields.hpp"
#include "scenario/enum_names.hpp"

namespace rondo {
namespace {

using scenario::Claim;

Evaluation evaluate_in(ClaimGroup const& group, Claim const& claim, Expression const& expression) {
  return claim.over ? evaluate(expression, group.along, group.axis) : evaluate(expression, group.along.front());
}

/// The names and values that an expression read, for the message of a failure.
std::string values_read(Evaluation const& evaluation) {
  std::string text;
  for (auto const& [name, value] : evaluation.read) {
    text += fmt::format("{}{} = {:.12g}", text.empty() ? "" : ", ", name, value);
  }
  return text;
}

/// Notes the points whose .delivered or .violations were read.
void note_validity(ClaimGroup const& group, Evaluation const& evaluation, Judgement& judgement) {
  for (auto const& [name, value] : evaluation.read) {
    std::size_t const dot = name.find('.');
    if (dot == std::string::npos) continue;
    std::string_view const what = std::string_view(name).substr(dot);
    if (what != ".delivered" && what != ".violations") continue;
    auto const [first, last] = group.points.equal_range(name.substr(0, dot));
    for (auto each = first; each != last; ++each) judgement.validity_read.insert(each->second);
  }
}

/// Notes a failure. The first one decides the status and the detail.
void fail(Judgement& judgement, std::string detail, Failures failures) {
  using enum Judgement::Status;
  if (failures == Failures::all) judgement.failures.push_back(detail);
  if (judgement.status != holds) return;
  judgement.status = fails;
  judgement.detail = std::move(detail);
}

/// Notes an error. Only the first one is reported.
void note_error(Judgement& judgement, std::string detail) {
  if (judgement.status != Judgement::Status::wrong) judgement.detail = std::move(detail);
  judgement.status = Judgement::Status::wrong;
}

void leave_unjudged(Judgement& judgement, std::string detail) {
  if (judgement.status == Judgement::Status::wrong) return;
  judgement.status = Judgement::Status::unjudged;
  judgement.detail = std::move(detail);
}

/// Throws NoValue if an operand has no finite value, because comparing it would say nothing.
void expect_finite(Evaluation const& evaluation, char const* of) {
  if (evaluation.not_finite.empty()) return;
  std::string const read = values_read(evaluation);
  throw NoValue(
      fmt::format("{}{} is no finite number{}{}", of, evaluation.not_finite, read.empty() ? "" : "; with ", read));
}

/// Judges one claim for one group: first `when`, then `that`.
void judge_in(ClaimGroup const& group, Claim const& claim, std::string const& file, Failures failures,
              Judgement& judgement) {
  using enum Judgement::Status;
  if (group.not_run > 0) {
    judgement.not_run += group.not_run;
    return;
  }
  std::string const at = group.where.empty() ? "" : "at " + group.where + ": ";
  try {
    if (claim.when) {
      Evaluation const when = evaluate_in(group, claim, *claim.when);
      note_validity(group, when, judgement);
      expect_finite(when, "\"when\": ");
      if (when.number == 0) return;
    }
    ++judgement.judged;
    Evaluation const that = evaluate_in(group, claim, claim.that);
    note_validity(group, that, judgement);
    expect_finite(that, "");
    if (that.number != 0) {
      ++judgement.passed;
      return;
    }
    fail(judgement, fmt::format("{}{} with {}", at, claim.that, values_read(that)), failures);
  } catch (NoValue const& reason) {
    ++judgement.without_value;
    fail(judgement, fmt::format("{}{}: {}", at, claim.that, reason.what()), failures);
  } catch (InputError const& error) {
    if (group.failure.empty())
      return note_error(judgement, fmt::format("{}: {}: {}{}", file, claim.place, at, error.what()));
    leave_unjudged(judgement, fmt::format("{}point {} has no result: {}", at, group.failed_point, group.failure));
  }
}

/// The status of a claim that fails somewhere, if its verdict says that it does.
Judgement::Status contrary(scenario::ClaimVerdict verdict) {
  switch (verdict) {
    case scenario::ClaimVerdict::refuted:
      return Judgement::Status::refuted;
    case scenario::ClaimVerdict::explained:
      return Judgement::Status::explained;
    case scenario::ClaimVerdict::unexplained:
      return Judgement::Status::unexplained;
    case scenario::ClaimVerdict::holds:
      break;
  }
  return Judgement::Status::fails;
}

/// Judges a claim that must not hold: it is as its verdict says if some value contradicts it and no value is missing.
void turn(Judgement& judgement, scenario::ClaimVerdict verdict) {
  using enum Judgement::Status;
  if (judgement.status == holds) {
    judgement.status = fails;
    judgement.detail = fmt::format("it holds everywhere, though its verdict is \"{}\"", enum_name(verdict));
  } else if (judgement.status == fails && judgement.without_value == 0) {
    judgement.status = contrary(verdict);
  }
}

/// The first invalid schedule among those whose proof a claim reads: its point, and the first violation.
std::string first_violation(Judgement const& judgement, std::vector<PointResult> const& results) {
  for (PointResult const& result : results) {
    std::vector<std::string> const& violations = result.record.violation_list;
    if (violations.empty() || !judgement.validity_read.contains(result.point.number)) continue;
    return fmt::format("point {}: {}", result.point.number, violations.front());
  }
  return {};
}

bool same_names(Names const& a, Names const& b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [](auto const& x, auto const& y) { return x.first == y.first; });
}

}  // namespace

namespace {

/// The fields that claims know by two names.
Aliases const& names_of_fields() {
  static Aliases const all = [] {
    Aliases aliases;
    for (Field const& field : fields()) {
      if (!field.variable.empty() && field.variable != field.name) aliases.emplace(field.name, field.variable);
    }
    return aliases;
  }();
  return all;
}

}  // namespace

/// Checks the names and forms of all claims against the names of the problem, before any point runs.
void check_claims(std::vector<Claim> const& claims, std::vector<PointResult> const& results, std::string const& file) {
  for (Claim const& claim : claims) {
    Names known;
    for (ClaimGroup const& group : groups_of(claim, results, file)) {
      if (same_names(known, group.along.front())) continue;
      known = group.along.front();
      at_place(fmt::format("{}: {}", file, claim.place), [&] {
        check_claim(claim.that, known, claim.over.has_value(), names_of_fields());
        if (!claim.when) return;
        check_claim(*claim.when, known, claim.over.has_value(), names_of_fields());
        check_condition(claim.that, *claim.when, names_of_fields());
      });
    }
  }
}

/// Judges all claims. A claim that holds at no combination, because none was judged, is `idle`. One that fails nowhere
/// but has missing points is `lacking`.
std::vector<Judgement> judge(std::vector<Claim> const& claims, std::vector<PointResult> const& results,
                             std::string const& file, Failures failures) {
  std::vector<Judgement> judgements;
  for (Claim const& claim : claims) {
    Judgement judgement{.claim = claim.claim, .detail = ""};
    for (ClaimGroup const& group : groups_of(claim, results, file)) judge_in(group, claim, file, failures, judgement);
    if (judgement.not_run > 0 && judgement.status == Judgement::Status::holds) {
      judgement.status = Judgement::Status::lacking;
      judgement.detail = fmt::format("{} points that it compares were not run", judgement.not_run);
      judgements.push_back(std::move(judgement));
      continue;
    }
    if (judgement.status == Judgement::Status::holds && judgement.judged == 0) {
      judgement.status = Judgement::Status::idle;
      judgement.detail = "\"when\" holds at no point";
    }
    if (claim.verdict != scenario::ClaimVerdict::holds) turn(judgement, claim.verdict);
    if (judgement.status == Judgement::Status::holds) judgement.detail = first_violation(judgement, results);
    judgements.push_back(std::move(judgement));
  }
  return judgements;
}

}  // namespace rondo
