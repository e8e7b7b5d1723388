// Times are simulated, so equal inputs give equal times: any difference beyond rounding is a change. JUnit XML has
// a suite for each scenario and a case for each claim, each failed point and each change for the worse.

#include "run/output/check_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <limits>
#include <map>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "run/output/text_table.hpp"
#include "run/points/record_states.hpp"

namespace rondo {
namespace {

/// Scenarios are matched by their file names, because a baseline may have been made in another folder.
std::string name_of(std::string const& path) { return std::filesystem::path(path).filename().string(); }

/// The text that distinguishes a point from the others of its scenario.
std::string sweep_key(nlohmann::ordered_json const& swept) {
  // A map, because the order in which a scenario lists its axes may have changed.
  std::map<std::string, std::string> values;
  for (auto const& [pointer, value] : swept.items()) values[pointer] = value.dump();
  std::string key;
  for (auto const& [pointer, value] : values) key += pointer + "=" + value + "\n";
  return key;
}

std::string sweep_key(scenario::Point const& point) {
  auto swept = nlohmann::ordered_json::object();
  for (auto const& [pointer, value] : point.axes) swept[pointer] = value;
  return sweep_key(swept);
}

/// The stored records of a scenario, by the values of its sweep.
std::map<std::string, Record const*> records_of(ReportInput const& stored, std::string const& file) {
  std::map<std::string, Record const*> records;
  for (Record const& record : stored.records) {
    if (name_of(record.scenario) != name_of(file)) continue;
    if (records.emplace(sweep_key(record.swept), &record).second) continue;
    throw InputError(fmt::format("--baseline: expected one record of point {} of {}, got two", record.point, file));
  }
  return records;
}

/// Whether two times differ by no more than rounding, which may differ between compilers.
bool is_alike(std::optional<double> before, std::optional<double> now) {
  if (!before || !now) return before.has_value() == now.has_value();
  return std::abs(*now - *before) <= 1e-9 * std::max(*now, *before);
}

std::optional<double> time_of(Record const& record) { return record.error ? std::nullopt : record.time_s; }

/// Counts a point whose time is alike, or notes its change. Also notes the first difference of the scenarios.
void compare(BaselineComparison& comparison, PointResult const& result, Record const& before) {
  TimeChange const change{result.point.number, result.point.values(), time_of(before), time_of(result.record)};
  if (is_alike(change.before_s, change.now_s)) {
    ++comparison.alike;
  } else {
    comparison.times.push_back(change);
  }
  // One difference is enough to tell the reader that the scenarios are not the same.
  if (comparison.scenario_difference.empty())
    comparison.scenario_difference = difference(state_of(before), state_of(result.record));
}

bool is_as_stated(std::string const& verdict) {
  return verdict != "fails" && verdict != "idle" && verdict != "unjudged" && verdict != "wrong";
}

/// The present time divided by the time before. 0 if there was no time before; infinite if there is none now, or if the
/// time before was 0.
double factor(TimeChange const& change) {
  if (!change.now_s) return std::numeric_limits<double>::infinity();
  if (!change.before_s) return 0;
  return *change.before_s > 0 ? *change.now_s / *change.before_s : std::numeric_limits<double>::infinity();
}

/// Stable, so that points that changed alike keep the order of the sweep.
std::vector<TimeChange> worst_first(std::vector<TimeChange> changes) {
  std::ranges::stable_sort(changes, std::greater{}, factor);
  return changes;
}

std::string time_text(std::optional<double> seconds) { return seconds ? shown(*seconds) : "failed"; }

std::string percent(TimeChange const& change) {
  if (!change.before_s || !change.now_s || *change.before_s <= 0) return "";
  return fmt::format("{:+.3g} %", 100 * (*change.now_s / *change.before_s - 1));
}

/// How many points are slower, faster, alike, new or gone.
std::string counts(BaselineComparison const& comparison) {
  auto const slower = std::ranges::count_if(comparison.times, &TimeChange::is_worse);
  std::string text =
      fmt::format("{} slower, {} faster, {} alike", slower, std::ssize(comparison.times) - slower, comparison.alike);
  if (comparison.without_record > 0) text += fmt::format(", {} new", comparison.without_record);
  if (comparison.gone > 0) text += fmt::format(", {} gone", comparison.gone);
  return text;
}

}  // namespace

bool TimeChange::is_worse() const { return factor(*this) > 1; }

bool BaselineComparison::is_worse() const {
  return std::ranges::any_of(times, &TimeChange::is_worse) || std::ranges::any_of(verdicts, &VerdictChange::is_worse);
}

/// Points are matched by their swept values, not by their numbers, so that a sweep may grow.
BaselineComparison compare_with_baseline(ReportInput const& stored, Job const& job,
                                         std::vector<PointResult> const& results,
                                         std::vector<Judgement> const& judgements) {
  BaselineComparison comparison{job.file, {}, {}, 0, 0, 0, ""};
  std::map<std::string, Record const*> before = records_of(stored, job.file);
  for (PointResult const& result : results) {
    auto const found = before.find(sweep_key(result.point));
    bool const is_known = found != before.end();
    if (result.was_run && is_known) compare(comparison, result, *found->second);
    if (result.was_run && !is_known) ++comparison.without_record;
    if (is_known) before.erase(found);
  }
  comparison.gone = before.size();
  for (JudgedClaim const& now : judged_claims(job, judgements)) {
    for (JudgedClaim const& then : stored.claims) {
      if (then.claim != now.claim || name_of(then.scenario) != name_of(job.file)) continue;
      if (then.verdict == now.verdict || then.verdict == "not judged" || now.verdict == "not judged") continue;
      comparison.verdicts.push_back(
          {now.claim, then.verdict, now.verdict, is_as_stated(then.verdict) && !is_as_stated(now.verdict)});
    }
  }
  return comparison;
}

std::string text_of(TimeChange const& change) {
  std::string const by = percent(change);
  return fmt::format("point {}{}: {}, now {}{}", change.point, change.where.empty() ? "" : " (" + change.where + ")",
                     time_text(change.before_s), time_text(change.now_s), by.empty() ? "" : " (" + by + ")");
}

std::string text_of(VerdictChange const& change) {
  return fmt::format("{}: {}, now {}", change.claim, change.before, change.now);
}

/// The changes as text, the worst first.
std::string baseline_text(BaselineComparison const& comparison) {
  std::string text = fmt::format("baseline  {}: {}\n", printable(comparison.file), counts(comparison));
  if (!comparison.scenario_difference.empty())
    text += fmt::format("          the scenarios differ: {}\n", printable(comparison.scenario_difference));
  for (TimeChange const& change : worst_first(comparison.times))
    text += fmt::format("{}  {}\n", change.is_worse() ? "SLOWER  " : "faster  ", printable(text_of(change)));
  for (VerdictChange const& change : comparison.verdicts)
    text += fmt::format("{}  {}\n", change.is_worse ? "TURNED  " : "turned  ", printable(text_of(change)));
  return text;
}

std::string baseline_markdown(BaselineComparison const& comparison) {
  std::string text =
      fmt::format("### Since the baseline: {}\n\n{}", markdown_text(name_of(comparison.file)), counts(comparison));
  if (!comparison.scenario_difference.empty())
    text += "; the scenarios differ: " + markdown_text(comparison.scenario_difference);
  text += "\n\n";
  Cells rows{{"point", "swept values", "before", "now", "change"}};
  for (TimeChange const& change : worst_first(comparison.times)) {
    rows.push_back({fmt::format("{}", change.point), change.where, time_text(change.before_s), time_text(change.now_s),
                    percent(change)});
  }
  if (rows.size() > 1) text += markdown_table(rows) + "\n";
  Cells claims{{"claim", "before", "now"}};
  for (VerdictChange const& change : comparison.verdicts) claims.push_back({change.claim, change.before, change.now});
  if (claims.size() > 1) text += markdown_table(claims) + "\n";
  return text;
}

namespace {

/// The attribute in seconds; readers of JUnit files accept at most three decimals.
std::string time_of(double seconds) { return fmt::format(" time=\"{:.3f}\"", seconds); }

/// The attributes of a case.
std::string attributes(std::string const& file, std::string const& name, double seconds) {
  return fmt::format("classname=\"{}\" name=\"{}\"{}", xml_text(file), xml_text(name), time_of(seconds));
}

std::string test_case(std::string const& head_attributes, char const* outcome, std::string const& detail) {
  std::string const head = "    <testcase " + head_attributes;
  if (*outcome == '\0') return head + "/>\n";
  return head + fmt::format("><{} message=\"{}\"/></testcase>\n", outcome, xml_text(detail));
}

char const* outcome_of(Judgement::Status status) {
  switch (status) {
    case Judgement::Status::fails:
    case Judgement::Status::idle:
      return "failure";
    case Judgement::Status::unjudged:
    case Judgement::Status::wrong:
      return "error";
    case Judgement::Status::lacking:
      return "skipped";
    case Judgement::Status::holds:
    case Judgement::Status::refuted:
    case Judgement::Status::explained:
    case Judgement::Status::unexplained:
      break;
  }
  return "";
}

/// The changes since the baseline that count as failures.
std::vector<std::string> worse_since(Checked const& checked) {
  std::vector<std::string> worse;
  if (!checked.since) return worse;
  for (TimeChange const& change : checked.since->times) {
    if (change.is_worse()) worse.push_back(text_of(change));
  }
  for (VerdictChange const& change : checked.since->verdicts) {
    if (change.is_worse) worse.push_back(text_of(change));
  }
  return worse;
}

/// A test suite for each scenario, a test case for each claim.
std::string suite(Checked const& checked) {
  std::string cases;
  std::ptrdiff_t failures = 0, skipped = 0;
  std::ptrdiff_t errors = std::ssize(checked.failed_points);
  for (Judgement const& judgement : checked.judgements) {
    std::string const outcome = outcome_of(judgement.status);
    failures += outcome == "failure" ? 1 : 0;
    errors += outcome == "error" ? 1 : 0;
    skipped += outcome == "skipped" ? 1 : 0;
    cases += test_case(attributes(checked.file, judgement.claim, checked.wall_s), outcome.c_str(), judgement.detail);
  }
  for (std::string const& change : worse_since(checked)) {
    ++failures;
    cases += test_case(attributes(checked.file, "since the baseline", 0), "failure", change);
  }
  for (FailedPoint const& point : checked.failed_points) {
    std::string const name = fmt::format("point {}", point.number);
    cases += test_case(attributes(checked.file, name, point.wall_s), "error", text_of(point));
  }
  return fmt::format(
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\"{}{}>\n{}  </testsuite>\n",
      xml_text(checked.file), checked.judgements.size() + checked.failed_points.size() + worse_since(checked).size(),
      failures, errors, skipped == 0 ? "" : fmt::format(" skipped=\"{}\"", skipped), time_of(checked.wall_s), cases);
}

}  // namespace

std::string text_of(FailedPoint const& point) { return fmt::format("point {}: {}", point.number, point.error); }

std::string junit(std::vector<Checked> const& checked) {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (Checked const& each : checked) text += suite(each);
  return text + "</testsuites>\n";
}

namespace {

/// "refuted (1 of 5)": at how many combinations it does not hold.
std::string contrary(char const* word, Judgement const& judgement) {
  return fmt::format("{} ({} of {})", word, judgement.judged - judgement.passed, judgement.judged);
}

/// The verdict with the number of combinations; failures are bold.
std::string verdict(Judgement const& judgement, bool corrects) {
  switch (judgement.status) {
    case Judgement::Status::holds:
      return fmt::format("{} ({})", corrects ? "corrected" : "holds", judgement.judged);
    case Judgement::Status::fails:
      return contrary("**fails**", judgement);
    case Judgement::Status::idle:
      return "**says nothing**";
    case Judgement::Status::refuted:
      return contrary("refuted", judgement);
    case Judgement::Status::explained:
      return contrary("explained", judgement);
    case Judgement::Status::unexplained:
      return contrary("unexplained", judgement);
    case Judgement::Status::wrong:
      return "**error**";
    case Judgement::Status::lacking:
      return "not judged";
    case Judgement::Status::unjudged:
      break;
  }
  return "**not judged**";
}

std::string word(Job const& job, char const* key) {
  auto const& scenario = job.sweep[0].expanded;
  return scenario.contains(key) ? scenario[key].get<std::string>() : "";
}

}  // namespace

/// A table of claims and verdicts for the documentation.
std::string claims_markdown(Job const& job, std::vector<Judgement> const& judgements) {
  expects(judgements.size() == job.claims.size(), "a judgement for each claim");
  std::string const name = printable(std::filesystem::path(job.file).filename().string());
  std::string const title = word(job, "title");
  std::string const source = word(job, "source");
  std::string text = fmt::format("### {}\n\n", markdown_text(title.empty() ? name : title));
  text += fmt::format("`{}`{}{}\n\n", name, source.empty() ? "" : ": ", markdown_text(source));
  text += "| claim | verdict | correction |\n|---|---|---|\n";
  for (std::size_t i = 0; i < judgements.size(); ++i) {
    std::string const correction = job.claims[i].correction.value_or("");
    text += fmt::format("| {} | {} | {} |\n", markdown_text(judgements[i].claim),
                        verdict(judgements[i], !correction.empty()), markdown_text(correction));
  }
  return text + "\n";
}

}  // namespace rondo
