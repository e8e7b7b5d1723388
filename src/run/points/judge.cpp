#include "run/points/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>

#include "base/error.hpp"
#include "run/families/claim_form.hpp"
#include "run/points/fields.hpp"
#include "scenario/words.hpp"

namespace rondo {
namespace {

using scenario::Claim;
using scenario::Json;

/// .optimal.rounds and so on: whether the field `optimal` names them. Without a value where nothing was proved.
void add_optimal(Names& names, Record const& record) {
  bool const is_known = record.violations == 0;
  std::string const optimal = fmt::format(" {} ", record.optimal.value_or(""));
  for (std::string const what : {"rounds", "volume", "critical", "total", "messages", "volume_in_rounds"}) {
    auto const named = static_cast<double>(optimal.find(fmt::format(" {} ", what)) != std::string::npos);
    names.emplace("optimal." + what, is_known ? std::optional(named) : std::nullopt);
  }
}

/// The names .rounds, .time, ... of a record, without their prefix; and the fields' own names, .time_s.
Names record_names(Record const& record) {
  Names names;
  add_optimal(names, record);
  for (Field const& field : fields()) {
    if (!field.number) continue;
    auto const value = field.number(record);
    if (!field.variable.empty()) names.emplace(field.variable, value);
    names.emplace(field.name, value);
  }
  return names;
}

std::string text_of(Json const& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

/// The name that a value of the `across` axis gives to its record's variables.
std::string prefix_of(PointResult const& result, Claim const& claim, std::string const& file) {
  for (auto const& [pointer, value] : result.point.axes) {
    if (pointer != claim.across) continue;
    std::string const name = text_of(value);
    auto const allowed = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    if (!name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) && std::ranges::all_of(name, allowed)) {
      return name;
    }
    throw InputError(
        fmt::format("{}: {}/across: the values of \"{}\" must be names to be told apart in a claim, got {}", file,
                    claim.place, claim.across, excerpt(value.dump())));
  }
  return result.record.algorithm;  // the default axis, not swept: one algorithm
}

/// The value of the claim's `over` axis as a number: units are read as bytes, seconds or bytes per second.
double position_of(PointResult const& result, Claim const& claim, std::string const& file) {
  for (auto const& [pointer, value] : result.point.axes) {
    if (pointer != claim.over) continue;
    if (value.is_number()) return value.get<double>();
    std::string const text = text_of(value);
    for (auto const parse : {+[](std::string const& t) { return static_cast<double>(parse_bytes(t).value); },
                             +[](std::string const& t) { return parse_seconds(t).value; },
                             +[](std::string const& t) { return parse_bandwidth(t).value; }}) {
      try {
        return parse(text);
      } catch (InputError const&) {
      }
    }
    throw InputError(fmt::format("{}: {}/over: the values of \"{}\" must be numbers or have units, got {}", file,
                                 claim.place, *claim.over, excerpt(value.dump())));
  }
  return 0;
}

/// What a claim sees at one combination of the other axes: the names it may use, for each value of `over`, or once if
/// the claim has no `over`.
struct Group {
  std::string where;  ///< the combination in words
  std::vector<double> axis;
  std::vector<Names> along;
  std::multimap<std::string, int> points;  ///< the numbers of the points, by the name of their variables
  std::string failure;                     ///< the first error among its records
  int failed_point = 0;
};

/// A name keeps its value only if all records of the place agree on it.
void add_problem_names(Names& names, Names const& problem) {
  for (auto const& [name, value] : problem) {
    auto const [place, is_new] = names.emplace(name, value);
    if (!is_new && place->second != value) place->second.reset();
  }
}

void add(Group& group, PointResult const& result, Claim const& claim, std::string const& file) {
  double const position = claim.over ? position_of(result, claim, file) : 0;
  auto const found = std::find(group.axis.begin(), group.axis.end(), position);
  auto const k = static_cast<std::size_t>(found - group.axis.begin());
  if (found == group.axis.end()) {
    group.axis.push_back(position);
    group.along.emplace_back();
  }
  std::string const prefix = prefix_of(result, claim, file);
  group.points.emplace(prefix, result.point.number);
  for (auto const& [name, value] : record_names(result.record)) group.along[k][prefix + "." + name] = value;
  add_problem_names(group.along[k], result.problem);
  if (result.record.error && group.failure.empty()) {
    group.failure = *result.record.error;
    group.failed_point = result.point.number;
  }
}

/// The pointers that are swept in step with one of them, itself among them: its value decides theirs.
std::set<std::string> in_step_with(std::string const& leading, std::vector<PointResult> const& results) {
  std::set<std::string> in_step, others;
  std::map<std::pair<std::string, std::string>, scenario::Json> decided;  // by pointer and the leading value
  for (PointResult const& result : results) {
    auto const& axes = result.point.axes;
    auto const leads = std::find_if(axes.begin(), axes.end(), [&](auto const& axis) { return axis.first == leading; });
    if (leads == axes.end()) continue;
    for (auto const& [pointer, value] : axes) {
      auto const [known, is_new] = decided.emplace(std::pair(pointer, leads->second.dump()), value);
      (is_new || known->second == value ? in_step : others).insert(pointer);
    }
  }
  for (std::string const& pointer : others) in_step.erase(pointer);
  return in_step;
}

/// The groups in the order of their first points.
std::vector<Group> groups_of(Claim const& claim, std::vector<PointResult> const& results, std::string const& file) {
  std::set<std::string> const along = claim.over ? in_step_with(*claim.over, results) : std::set<std::string>{};
  std::vector<Group> groups;
  std::map<std::string, std::size_t> known;
  for (PointResult const& result : results) {
    std::string where;
    for (auto const& [pointer, value] : result.point.axes) {
      if (pointer == claim.across || along.contains(pointer)) continue;
      where += fmt::format("{}{}={}", where.empty() ? "" : " ", pointer, value.dump());
    }
    auto const [place, is_new] = known.emplace(where, groups.size());
    if (is_new) groups.emplace_back().where = where;
    add(groups[place->second], result, claim, file);
  }
  return groups;
}

Evaluation evaluate_in(Group const& group, Claim const& claim, std::string const& expression) {
  return claim.over ? evaluate(expression, group.along, group.axis) : evaluate(expression, group.along.front());
}

std::string values_read(Evaluation const& evaluation) {
  std::string text;
  for (auto const& [name, value] : evaluation.read) {
    text += fmt::format("{}{} = {:.12g}", text.empty() ? "" : ", ", name, value);
  }
  return text;
}

/// Notes the points whose .delivered or .violations were read.
void note_validity(Group const& group, Evaluation const& evaluation, Judgement& judgement) {
  for (auto const& [name, value] : evaluation.read) {
    std::size_t const dot = name.find('.');
    if (dot == std::string::npos) continue;
    std::string_view const what = std::string_view(name).substr(dot);
    if (what != ".delivered" && what != ".violations") continue;
    auto const [first, last] = group.points.equal_range(name.substr(0, dot));
    for (auto each = first; each != last; ++each) judgement.validity_read.insert(each->second);
  }
}

void fail(Judgement& judgement, std::string detail) {
  using enum Judgement::Status;
  if (judgement.status != holds) return;
  judgement.status = fails;
  judgement.detail = std::move(detail);
}

/// The first of its errors is the one that is told.
void note_error(Judgement& judgement, std::string detail) {
  if (judgement.status != Judgement::Status::wrong) judgement.detail = std::move(detail);
  judgement.status = Judgement::Status::wrong;
}

void leave_unjudged(Judgement& judgement, std::string detail) {
  if (judgement.status == Judgement::Status::wrong) return;
  judgement.status = Judgement::Status::unjudged;
  judgement.detail = std::move(detail);
}

/// Throws NoValue where an operand has no finite value: whatever it is compared with, that says nothing.
void expect_finite(Evaluation const& evaluation, char const* of) {
  if (evaluation.not_finite.empty()) return;
  std::string const read = values_read(evaluation);
  throw NoValue(
      fmt::format("{}{} is no finite number{}{}", of, evaluation.not_finite, read.empty() ? "" : "; with ", read));
}

void judge_in(Group const& group, Claim const& claim, std::string const& file, Judgement& judgement) {
  using enum Judgement::Status;
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
    fail(judgement, fmt::format("{}{} with {}", at, claim.that, values_read(that)));
  } catch (NoValue const& reason) {
    ++judgement.without_value;
    fail(judgement, fmt::format("{}{}: {}", at, claim.that, reason.what()));
  } catch (InputError const& error) {
    if (group.failure.empty())
      return note_error(judgement, fmt::format("{}: {}: {}{}", file, claim.place, at, error.what()));
    leave_unjudged(judgement, fmt::format("{}point {} has no result: {}", at, group.failed_point, group.failure));
  }
}

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

/// A claim that must not hold has been found as its verdict says where a value contradicts it, and nowhere lacks one.
void turn(Judgement& judgement, scenario::ClaimVerdict verdict) {
  using enum Judgement::Status;
  if (judgement.status == holds) {
    judgement.status = fails;
    judgement.detail = fmt::format("it holds everywhere, though its verdict is \"{}\"", word_of(verdict));
  } else if (judgement.status == fails && judgement.without_value == 0) {
    judgement.status = contrary(verdict);
  }
}

/// Names the first invalid schedule among those that a claim is about: which point it is, and what is wrong there.
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

void check_claims(std::vector<Claim> const& claims, std::vector<PointResult> const& results, std::string const& file) {
  for (Claim const& claim : claims) {
    Names known;
    for (Group const& group : groups_of(claim, results, file)) {
      if (same_names(known, group.along.front())) continue;
      known = group.along.front();
      try {
        check_claim(claim.that, known, claim.over.has_value());
        if (claim.when) check_claim(*claim.when, known, claim.over.has_value());
      } catch (InputError const& error) {
        throw InputError(fmt::format("{}: {}: {}", file, claim.place, error.what()));
      }
    }
  }
}

std::vector<Judgement> judge(std::vector<Claim> const& claims, std::vector<PointResult> const& results,
                             std::string const& file) {
  std::vector<Judgement> judgements;
  for (Claim const& claim : claims) {
    Judgement judgement{.claim = claim.claim, .detail = ""};
    for (Group const& group : groups_of(claim, results, file)) judge_in(group, claim, file, judgement);
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
