#include "run/points/record_states.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

namespace rondo {
namespace {

using Json = nlohmann::ordered_json;

/// Replaces the values at these places, as far as they exist, by null.
void blank(Json& json, std::set<std::string> const& pointers) {
  for (std::string const& each : pointers) {
    try {
      Json::json_pointer const place(each);
      if (json.contains(place)) json[place] = nullptr;
    } catch (Json::exception const&) {  // no pointer, or one through what is null now
    }
  }
}

std::string shown(Json const& json) { return json.is_null() ? "none" : excerpt(json.dump()); }

std::string first_difference(Json const& first, Json const& second) {
  Json const patch = Json::diff(first, second);
  if (patch.empty()) return "";
  std::string const path = patch.front()["path"].get<std::string>();
  auto const at = [&](Json const& json) {
    Json::json_pointer const place(path);
    return path.empty() || !json.contains(place) ? Json() : json[place];
  };
  return fmt::format("{}: {} and {}", excerpt(path), shown(at(first)), shown(at(second)));
}

}  // namespace

Json without_files(Json expanded) {
  expanded.erase("inputs");
  for (char const* place : {"/collective", "/collective/graph", "/collective/pattern", "/machine/topology"}) {
    Json::json_pointer const at(place);
    if (expanded.contains(at) && expanded[at].is_object()) expanded[at].erase("checksum");
  }
  return expanded;
}

RecordState state_of(Json const& expanded, std::string const& engine, int points, std::set<std::string> const& swept) {
  RecordState state{points, swept.contains("/engine") ? "" : engine};
  state.common = without_files(expanded);
  state.common.erase("engine");
  state.swept = swept;
  blank(state.common, swept);
  Json const files = expanded.value("inputs", Json::object());
  for (auto const& [name, known] : files.items()) state.files[name] = known.is_string() ? known.get<std::string>() : "";
  return state;
}

RecordState state_of(Record const& record) {
  std::set<std::string> swept;
  for (auto const& [pointer, value] : record.swept.items()) swept.insert(pointer);
  return state_of(record.expanded, record.engine, record.points, swept);
}

std::string difference(RecordState const& first, RecordState const& second) {
  if (first.points != 0 && second.points != 0 && first.points != second.points) {
    return fmt::format("points of the sweep: {} and {}", first.points, second.points);
  }
  if (!first.engine.empty() && !second.engine.empty() && first.engine != second.engine) {
    return fmt::format("/engine: \"{}\" and \"{}\"", first.engine, second.engine);
  }
  for (auto const& [name, known] : first.files) {
    auto const found = second.files.find(name);
    if (found == second.files.end() || found->second == known) continue;
    return fmt::format("the file {}: {} and {}", excerpt(name), excerpt(known), excerpt(found->second));
  }
  if (first.common.is_null() || second.common.is_null()) return "";
  // A table also has columns for the sweeps of other scenarios, which JSON does not name.
  Json one = first.common, other = second.common;
  blank(one, second.swept);
  blank(other, first.swept);
  return first_difference(one, other);
}

}  // namespace rondo
