// Counts records by the version that wrote them and makes remarks.
//
// Compares the states of scenarios from which records were made (record_states.hpp).

#include "run/points/record_states.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/version.hpp"

namespace rondo {
namespace {

/// Major, minor and patch; a part that is no number, and all parts after it, are 0.
std::array<int, 3> numbers_of(std::string_view version) {
  std::array<int, 3> numbers{};
  for (int& number : numbers) {
    auto const [end, error] = std::from_chars(version.data(), version.data() + version.size(), number);
    if (error != std::errc()) break;
    version.remove_prefix(static_cast<std::size_t>(end - version.data()));
    if (!version.starts_with('.')) break;
    version.remove_prefix(1);
  }
  return numbers;
}

}  // namespace

std::string by_version(std::string_view version, std::string_view own) {
  auto const order = numbers_of(version) <=> numbers_of(own);
  char const* const which = order < 0 ? "the older version" : order > 0 ? "the newer version" : "another build,";
  return fmt::format("by {} {}", which, excerpt(version));
}

std::string by_other_versions(RecordsByVersion const& records) {
  constexpr std::size_t most_named = 4;
  std::string said;
  std::size_t versions = 0;
  std::size_t unnamed = 0;
  for (auto const& [each, count] : records) {
    if (each == version()) continue;
    if (++versions <= most_named) {
      said += fmt::format("{}{} {}", said.empty() ? "" : ", ", count, by_version(each, version()));
    } else {
      unnamed += count;
    }
  }
  return unnamed == 0 ? said : fmt::format("{}, {} by {} more", said, unnamed, versions - most_named);
}

std::string remark_on_versions(RecordsByVersion const& records) {
  std::size_t all = 0;
  std::size_t others = 0;
  std::string only;
  for (auto const& [each, count] : records) {
    all += count;
    if (each == version()) continue;
    only = others == 0 ? by_version(each, version()) : "";
    others += count;
  }
  if (others == 0) return "";
  std::string const which = only.empty() ? "by other versions: " + by_other_versions(records) : only;
  return fmt::format("{} of {} {} {}; {}", others, counted(all, "record"), others == 1 ? "is" : "are", which,
                     where_results_changed);
}

namespace {

using Json = nlohmann::ordered_json;

/// Replaces the values at these JSON pointers by null. A pointer to nothing is ignored.
void set_null(Json& json, std::set<std::string> const& pointers) {
  for (std::string const& pointer : pointers) {
    try {
      Json::json_pointer const place(pointer);
      if (json.contains(place)) json[place] = nullptr;
    } catch (Json::exception const&) {  // not a JSON pointer, or a value on its path is already null
    }
  }
}

std::string shown(Json const& json) { return json.is_null() ? "none" : excerpt(json.dump()); }

/// The first difference of two documents, as a pointer with both values; empty if they are equal.
std::string first_difference(Json const& first, Json const& second) {
  Json const patch = Json::diff(first, second);
  if (patch.empty()) return "";
  std::string const path = patch.front()["path"].get<std::string>();
  auto const value_in = [&](Json const& json) {
    Json::json_pointer const place(path);
    return path.empty() || !json.contains(place) ? Json() : json[place];
  };
  return fmt::format("{}: {} and {}", excerpt(path), shown(value_in(first)), shown(value_in(second)));
}

}  // namespace

Json without_files(Json expanded) {
  expanded.erase("inputs");
  // Every object that may have a checksum.
  for (char const* pointer : {"/collective", "/collective/graph", "/collective/pattern", "/machine/topology"}) {
    Json::json_pointer const place(pointer);
    if (expanded.contains(place) && expanded[place].is_object()) expanded[place].erase("checksum");
  }
  return expanded;
}

RecordState state_of(Json const& expanded, std::string const& engine, int points, std::set<std::string> const& swept) {
  RecordState state{points > 0 ? std::optional(points) : std::nullopt, swept.contains("/engine") ? "" : engine};
  state.common = without_files(expanded);
  state.common.erase("engine");
  state.swept = swept;
  set_null(state.common, swept);
  Json const files = expanded.value("inputs", Json::object());
  for (auto const& [name, checksum] : files.items()) {
    state.files[name] = checksum.is_string() ? checksum.get<std::string>() : "";
  }
  return state;
}

RecordState state_of(Record const& record) {
  std::set<std::string> swept;
  for (auto const& [pointer, value] : record.swept.items()) swept.insert(pointer);
  return state_of(record.expanded, record.engine, record.points, swept);
}

std::string difference(RecordState const& first, RecordState const& second) {
  if (first.points && second.points && first.points != second.points) {
    return fmt::format("points of the sweep: {} and {}", *first.points, *second.points);
  }
  if (!first.engine.empty() && !second.engine.empty() && first.engine != second.engine) {
    return fmt::format("/engine: \"{}\" and \"{}\"", first.engine, second.engine);
  }
  // Only files that both name can contradict each other.
  for (auto const& [name, checksum] : first.files) {
    auto const found = second.files.find(name);
    if (found == second.files.end() || found->second == checksum) continue;
    return fmt::format("the file {}: {} and {}", excerpt(name), excerpt(checksum), excerpt(found->second));
  }
  if (first.common.is_null() || second.common.is_null()) return "";
  // A CSV file has columns for the swept pointers of all its scenarios, JSON lines only for their own. So pointers that
  // either side lists are ignored on both.
  Json first_common = first.common, second_common = second.common;
  set_null(first_common, second.swept);
  set_null(second_common, first.swept);
  return first_difference(first_common, second_common);
}

}  // namespace rondo
