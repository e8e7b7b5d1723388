// Groups the points of a sweep for a claim. A group has one point for each pair of a value of `across` and a position
// along `over`. Axes that are swept in step with `over` differ within a group; all others are equal and name it.

#include "run/points/claim_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "base/error.hpp"
#include "run/points/fields.hpp"

namespace rondo {
namespace {

using scenario::Claim;
using scenario::Json;

/// Adds .optimal.rounds and so on: whether the field `optimal` contains each name. They have no value if nothing was
/// proved.
void add_optimal(Names& names, Record const& record) {
  bool const is_known = record.violations == 0;
  std::string const optimal = fmt::format(" {} ", record.optimal.value_or(""));
  for (std::string const what : {"rounds", "volume", "critical", "total", "messages", "volume_in_rounds"}) {
    auto const named = static_cast<double>(optimal.find(fmt::format(" {} ", what)) != std::string::npos);
    names.emplace("optimal." + what, is_known ? std::optional(named) : std::nullopt);
  }
}

/// The names .rounds, .time, ... of a record, without their prefix, and the names of its fields, .time_s.
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

/// The names of a workload's steps and jobs; a step of a job is named JOB.STEP.
std::vector<std::string> names_in(Json const& workload) {
  std::vector<std::string> names;
  auto const add_steps = [&](Json const& of, std::string const& prefix) {
    for (Json const& step : of["steps"]) names.push_back(prefix + step["name"].get<std::string>());
  };
  if (!workload.contains("jobs")) add_steps(workload, "");
  for (Json const& job : workload.value("jobs", Json::array())) {
    names.push_back(job["name"].get<std::string>());
    if (job.contains("workload")) add_steps(job["workload"], names.back() + ".");
  }
  return names;
}

/// The times of the steps and jobs of a workload, each under a short name and under that of its field: NAME.time and
/// NAME.time_s, and so on. A name has no value if the record lacks the field. There are no names for other problems.
Names step_names(PointResult const& result) {
  Names names;
  Json const& scenario = result.point.expanded;
  bool const workload = scenario.contains("collective") && scenario["collective"].is_object() &&
                        scenario["collective"].value("kind", "") == enum_name(problem::Kind::workload);
  if (!workload) return names;
  for (std::string const& name : names_in(scenario["collective"])) {
    for (auto const& [word, field] : {std::pair("time", "time_s"),
                                      {"alone", "alone_s"},
                                      {"slowdown", "slowdown"},
                                      {"mean", "time_mean_s"},
                                      {"p50", "time_p50_s"},
                                      {"p95", "time_p95_s"},
                                      {"max", "time_max_s"}}) {
      std::optional<double> value;
      for (auto const& known : {result.record.steps, result.record.jobs}) {
        bool const has_value = known && known->contains(name) && (*known)[name].value(field, Json()).is_number();
        if (has_value) value = (*known)[name][field].get<double>();
      }
      for (std::string const& each : {std::string(word), std::string(field)}) names[name + "." + each] = value;
    }
  }
  return names;
}

std::string text_of(Json const& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

/// Whether a claim can use the text as a name: letters, digits and underscores, but no digit in front.
bool is_name(std::string const& text) {
  auto const allowed = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  return !text.empty() && !std::isdigit(static_cast<unsigned char>(text[0])) && std::ranges::all_of(text, allowed);
}

/// The prefix of a record's variables: the label of its value on the `across` axis, or the value if the label is no
/// name. If `across` is not swept, it is the algorithm. Throws InputError if neither label nor value is a name.
std::string prefix_of(PointResult const& result, Claim const& claim, std::string const& file) {
  auto const& axes = result.point.axes;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    auto const& [pointer, value] = axes[i];
    if (pointer != claim.across) continue;
    if (is_name(result.point.label(i))) return result.point.label(i);
    if (std::string const name = text_of(value); is_name(name)) return name;
    throw InputError(
        fmt::format("{}: {}/across: the values of \"{}\" must be names to be told apart in a claim, got {}", file,
                    claim.place, claim.across, excerpt(value.dump())));
  }
  return result.record.algorithm;  // the default axis, not swept: one algorithm
}

/// The value of the claim's `over` axis as a number: units are read as bytes, seconds or bytes per second. It is 0 if
/// the axis is not swept. Throws InputError if the value is neither a number nor has one of these units.
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

/// Adds names that belong to the problem, not to one record: they have no prefix. A name keeps its value only if all
/// records at this position agree on it.
void add_problem_names(Names& names, Names const& problem) {
  for (auto const& [name, value] : problem) {
    auto const [place, is_new] = names.emplace(name, value);
    if (!is_new && place->second != value) place->second.reset();
  }
}

/// Adds a point: its numbers under PREFIX.field, the times of its steps with and without the prefix, and its error if
/// it is the first one of the group.
void add(ClaimGroup& group, PointResult const& result, Claim const& claim, std::string const& file) {
  if (!result.was_run) ++group.not_run;
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
  Names const steps = step_names(result);
  for (auto const& [name, value] : steps) group.along[k][prefix + "." + name] = value;
  add_problem_names(group.along[k], steps);
  add_problem_names(group.along[k], result.problem);
  if (result.record.error && group.failure.empty()) {
    group.failure = *result.record.error;
    group.failed_point = result.point.number;
  }
}

/// The pointers that are swept in step with `leading`: the value of `leading` determines theirs. `leading` itself is
/// one of them if it is swept.
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

}  // namespace

/// Axes that are swept in step with `over` do not divide groups.
std::vector<ClaimGroup> groups_of(Claim const& claim, std::vector<PointResult> const& results,
                                  std::string const& file) {
  std::set<std::string> const along = claim.over ? in_step_with(*claim.over, results) : std::set<std::string>{};
  std::vector<ClaimGroup> groups;
  std::map<std::string, std::size_t> known;
  for (PointResult const& result : results) {
    std::string where;
    for (std::size_t i = 0; i < result.point.axes.size(); ++i) {
      std::string const& pointer = result.point.axes[i].first;
      if (pointer == claim.across || along.contains(pointer)) continue;
      where += fmt::format("{}{}={}", where.empty() ? "" : " ", pointer, result.point.shown(i));
    }
    auto const [place, is_new] = known.emplace(where, groups.size());
    if (is_new) groups.emplace_back().where = where;
    add(groups[place->second], result, claim, file);
  }
  return groups;
}

}  // namespace rondo
