// Prepares the data of the report page: groups records by scenario, and finds the axes by which the records of a
// scenario differ, whether or not a sweep made them.

#include "run/output/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/version.hpp"
#include "run/output/page.hpp"

namespace rondo {
namespace {

using Json = nlohmann::ordered_json;

/// A difference between scenarios: a pointer and its value in each of them; null if a scenario has no such value.
struct Difference {
  std::string pointer;
  std::vector<Json> values;
};

bool all_equal(std::vector<Json> const& values) {
  return std::all_of(values.begin(), values.end(), [&](Json const& value) { return value == values.front(); });
}

std::vector<std::string> keys_of(Json const& object) {
  std::vector<std::string> keys;
  for (auto const& [key, value] : object.items()) keys.push_back(key);
  std::sort(keys.begin(), keys.end());
  return keys;
}

/// Objects with the same members are compared member by member, all others as a whole.
bool comparable(std::vector<Json> const& values) {
  return std::all_of(values.begin(), values.end(),
                     [&](Json const& value) { return value.is_object() && keys_of(value) == keys_of(values.front()); });
}

/// Adds the pointers at which the values differ. Objects of the same kind are compared member by member.
void add_differences(std::string const& pointer, std::vector<Json> const& values, std::vector<Difference>& into) {
  if (all_equal(values)) return;
  // The members of the scenarios themselves are always compared one by one; a missing member is null.
  if (!pointer.empty() && !comparable(values)) return into.push_back({pointer, values});
  std::vector<std::string> keys;
  for (Json const& value : values) {
    for (auto const& [key, member] : value.items()) {
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
    }
  }
  for (std::string const& key : keys) {
    std::vector<Json> members;
    for (Json const& value : values) members.push_back(value.contains(key) ? value[key] : Json(nullptr));
    add_differences(pointer + "/" + key, members, into);
  }
}

/// A value as the label of an axis.
std::string axis_value(Json const& value) {
  if (value.is_null()) return "none";
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_object() || !value.contains("kind") || !value["kind"].is_string()) return excerpt(value.dump(), 48);
  std::string text = value["kind"].get<std::string>();
  for (auto const& [key, inner] : value.items()) {
    if (key != "kind") text += fmt::format(" {}={}", key, excerpt(inner.dump(), 24));
  }
  return text;
}

/// Numbers the distinct values from 0 in the order of their first occurrence, and returns the number of each value.
std::vector<std::size_t> partition(std::vector<Json> const& values) {
  std::map<std::string, std::size_t> numbers_by_value;
  std::vector<std::size_t> numbers;
  for (Json const& value : values)
    numbers.push_back(numbers_by_value.emplace(value.dump(), numbers_by_value.size()).first->second);
  return numbers;
}

/// Differences that always change together.
struct ReportAxis {
  std::vector<std::size_t> at;  ///< by record: its value
  std::vector<std::string> names, pointers, values;
};

/// Adds a difference to an axis: pointers that always change together are one axis.
void add_to(ReportAxis& axis, Difference const& difference) {
  axis.pointers.push_back(difference.pointer);
  axis.names.push_back(difference.pointer.substr(difference.pointer.rfind('/') + 1));
  std::size_t next = 0;
  bool const is_new = axis.values.empty();
  for (std::size_t i = 0; i < difference.values.size(); ++i) {
    if (axis.at[i] != next) continue;
    std::string const text = axis_value(difference.values[i]);
    if (is_new) {
      axis.values.push_back(text);
    } else {
      axis.values[next] += ", " + text;
    }
    ++next;
  }
}

/// The scenario of a record, with labels in the place of the values that they name.
Json labelled(Record const& record) {
  Json scenario = record.expanded;
  if (!record.labels) return scenario;
  for (auto const& [pointer, label] : record.labels->items()) {
    Json::json_pointer const place(pointer);
    if (scenario.contains(place)) scenario[place] = label;
  }
  return scenario;
}

/// The values in which the records of a scenario differ.
std::vector<ReportAxis> axes_of(std::vector<Record const*> const& records) {
  std::vector<Json> scenarios, versions;
  for (Record const* record : records) {
    scenarios.push_back(labelled(*record));
    versions.emplace_back(record->version);
  }
  std::vector<Difference> differences;
  if (!scenarios.empty()) add_differences("", scenarios, differences);
  if (!versions.empty() && !all_equal(versions)) differences.push_back({"/version", versions});
  std::vector<ReportAxis> axes;
  for (Difference const& difference : differences) {
    if (difference.pointer == "/algorithm" || difference.pointer == "/block") continue;
    std::vector<std::size_t> const numbers = partition(difference.values);
    auto found = std::find_if(axes.begin(), axes.end(), [&](ReportAxis const& axis) { return axis.at == numbers; });
    if (found == axes.end()) found = axes.insert(axes.end(), ReportAxis{numbers, {}, {}, {}});
    add_to(*found, difference);
  }
  return axes;
}

Json axis_json(ReportAxis const& axis) {
  return {{"name", listed(axis.names, ", ")}, {"pointers", axis.pointers}, {"values", axis.values}};
}

/// The part of a record that the page reads.
Json short_record(Record const& record, std::vector<ReportAxis> const& axes, std::size_t index) {
  Json const whole = to_json(record);
  Json json = {{"at", Json::array()}};
  for (ReportAxis const& axis : axes) json["at"].push_back(axis.at[index]);
  for (char const* key :
       {"point", "algorithm", "engine", "p", "block_bytes", "rounds", "volume_blocks", "messages", "time_s",
        "max_link_bytes", "mean_link_bytes", "optimal", "delivered", "violations", "version", "error"}) {
    json[key] = whole[key];
  }
  for (char const* key : {"rounds", "volume_blocks", "time_s"}) {
    json["theory"][key] = whole["theory"][key];
    json["bound"][key] = whole["bound"][key];
  }
  json["bound"]["links"] = whole["bound"]["links"];
  for (char const* key : {"time_p50_s", "time_p95_s", "steps", "jobs"}) {
    if (whole.contains(key)) json[key] = whole[key];
  }
  return json;
}

std::string text_member(Json const& expanded, char const* key) {
  return expanded.is_object() && expanded.contains(key) && expanded[key].is_string() ? expanded[key].get<std::string>()
                                                                                     : "";
}

/// The part of a report about one scenario.
struct OfScenario {
  std::string file;
  std::vector<Record const*> records;
  std::vector<JudgedClaim const*> claims;
};

/// The scenarios in the order in which records, then claims, first name them.
std::vector<OfScenario> by_scenario(ReportInput const& input) {
  std::vector<OfScenario> scenarios;
  std::unordered_map<std::string, std::size_t> index_of_file;
  auto const of = [&](std::string const& file) -> OfScenario& {
    auto const [place, is_new] = index_of_file.emplace(file, scenarios.size());
    if (is_new) scenarios.push_back({file, {}, {}});
    return scenarios[place->second];
  };
  for (Record const& record : input.records) of(record.scenario).records.push_back(&record);
  for (JudgedClaim const& claim : input.claims) of(claim.scenario).claims.push_back(&claim);
  return scenarios;
}

/// The records of a scenario, sorted by point.
Json scenario_json(OfScenario const& scenario) {
  std::vector<Record const*> records = scenario.records;
  std::stable_sort(records.begin(), records.end(),
                   [](Record const* a, Record const* b) { return a->point < b->point; });
  std::vector<ReportAxis> const axes = axes_of(records);
  Json const expanded = records.empty() ? Json(nullptr) : records.front()->expanded;
  Json json = {{"file", scenario.file},
               {"title", text_member(expanded, "title")},
               {"source", text_member(expanded, "source")},
               {"expanded", expanded},
               {"axes", Json::array()},
               {"records", Json::array()},
               {"claims", Json::array()}};
  for (ReportAxis const& axis : axes) json["axes"].push_back(axis_json(axis));
  for (std::size_t i = 0; i < records.size(); ++i) json["records"].push_back(short_record(*records[i], axes, i));
  for (JudgedClaim const* claim : scenario.claims) json["claims"].push_back(to_json(*claim));
  return json;
}

}  // namespace

std::string report_html(ReportInput const& input) {
  Json data = {{"version", version()}, {"scenarios", Json::array()}};
  for (OfScenario const& each : by_scenario(input)) data["scenarios"].push_back(scenario_json(each));
  std::string const title = data["scenarios"][0]["title"].get<std::string>();
  return html_page(title.empty() ? "Rondo report" : title + " - Rondo report", data,
                   {"uplot/uPlot.min.css", "page.css"},
                   {"page.js", "uplot/uPlot.iife.min.js", "charts.js", "svg.js", "axis.js", "choice.js", "fastest.js",
                    "figures.js", "report.js"});
}

}  // namespace rondo
