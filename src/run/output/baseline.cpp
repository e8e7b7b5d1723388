// Compares times and verdicts with stored ones. Times are simulated, so equal inputs give equal times: any difference
// beyond rounding is a change.

#include "run/output/baseline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
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

/// The swept values of a point: "/block=64B /algorithm=ring".
std::string where(scenario::Point const& point) {
  std::string text;
  for (std::size_t i = 0; i < point.axes.size(); ++i)
    text += fmt::format("{}{}={}", i == 0 ? "" : " ", point.axes[i].first, point.shown(i));
  return text;
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
  TimeChange const change{result.point.number, where(result.point), time_of(before), time_of(result.record)};
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

}  // namespace rondo
