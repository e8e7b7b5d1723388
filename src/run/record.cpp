#include "run/record.hpp"

#include <utility>

namespace rondo {
namespace {

using Json = nlohmann::ordered_json;

template <typename T>
Json nullable(std::optional<T> const& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json present(std::string const& text) { return text.empty() ? Json(nullptr) : Json(text); }

std::optional<double> ratio(std::optional<double> value, std::optional<double> bound) {
  if (!value || !bound) return std::nullopt;
  if (*bound == 0) return *value == 0 ? std::optional(1.0) : std::nullopt;
  return *value / *bound;
}

Json json_of(Figures const& figures) {
  return {{"rounds", nullable(figures.rounds)},
          {"volume_blocks", nullable(figures.volume_blocks)},
          {"volume_bytes", nullable(figures.volume_bytes)},
          {"critical_blocks", nullable(figures.critical_blocks)},
          {"total_blocks", nullable(figures.total_blocks)},
          {"received_blocks", nullable(figures.received_blocks)},
          {"messages", nullable(figures.messages)},
          {"time_s", nullable(figures.time_s)}};
}

Json bound_of(Record const& record) {
  Json json = json_of(record.bound);
  json["links"] = nullable(record.bound_links);
  return json;
}

/// Flattens nested objects into dotted names. The expanded scenario stays one cell of JSON text: its keys differ from
/// scenario to scenario, and a table has the same columns for all.
void flatten(Json const& value, std::string const& name, std::vector<std::pair<std::string, Json>>& cells) {
  if (!value.is_object() || name == "expanded") {
    cells.emplace_back(name, value);
    return;
  }
  for (auto const& [key, inner] : value.items()) flatten(inner, name.empty() ? key : name + "." + key, cells);
}

std::vector<std::pair<std::string, Json>> cells_of(Record const& record) {
  Json json = to_json(record);
  json.erase("violation_list");  // JSON only
  std::vector<std::pair<std::string, Json>> cells;
  flatten(json, "", cells);
  return cells;
}

std::string csv_cell(Json const& value) {
  if (value.is_null()) return "";
  std::string const text = value.is_string() ? value.get<std::string>() : value.dump();
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (char const c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

std::optional<double> Record::gap_rounds() const { return ratio(rounds, bound.rounds); }
std::optional<double> Record::gap_volume() const { return ratio(volume_blocks, bound.volume_blocks); }

Json to_json(Record const& r) {
  return {{"scenario", r.scenario},
          {"point", r.point},
          {"collective", present(r.collective)},
          {"algorithm", present(r.algorithm)},
          {"engine", r.engine},
          {"timing", r.timing},
          {"p", r.p},
          {"block_bytes", nullable(r.block_bytes)},
          {"rounds", nullable(r.rounds)},
          {"volume_blocks", nullable(r.volume_blocks)},
          {"volume_bytes", nullable(r.volume_bytes)},
          {"messages", nullable(r.messages)},
          {"time_s", nullable(r.time_s)},
          {"critical_blocks", nullable(r.critical_blocks)},
          {"total_blocks", nullable(r.total_blocks)},
          {"received_blocks", nullable(r.received_blocks)},
          {"redundant_blocks", nullable(r.redundant_blocks)},
          {"theory", json_of(r.theory)},
          {"bound", bound_of(r)},
          {"gap", {{"rounds", nullable(r.gap_rounds())}, {"volume", nullable(r.gap_volume())}}},
          {"optimal", nullable(r.optimal)},
          {"delivered", nullable(r.delivered)},
          {"violations", nullable(r.violations)},
          {"violation_list", r.violation_list},
          {"friends", nullable(r.combining.friends)},
          {"iterations", nullable(r.combining.iterations)},
          {"pairing_rounds", nullable(r.combining.pairing_rounds)},
          {"pairing_messages", nullable(r.combining.pairing_messages)},
          {"max_sends", nullable(r.combining.max_sends)},
          {"savable_messages", nullable(r.combining.savable_messages)},
          {"setup_wall_s", nullable(r.combining.setup_wall_s)},
          {"payload", nullable(r.payload)},
          {"seed", nullable(r.seed)},
          {"version", r.version},
          {"wall_s", r.wall_s},
          {"error", nullable(r.error)},
          {"expanded", r.expanded}};
}

std::string csv_header() {
  std::string header;
  for (auto const& [name, value] : cells_of(Record{})) header += (header.empty() ? "" : ",") + name;
  return header;
}

std::string csv_row(Record const& record) {
  std::string row;
  bool first = true;
  for (auto const& [name, value] : cells_of(record)) {
    if (!std::exchange(first, false)) row += ',';
    row += csv_cell(value);
  }
  return row;
}

}  // namespace rondo
