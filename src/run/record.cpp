#include "run/record.hpp"

#include <type_traits>
#include <utility>

namespace rondo {
namespace {

using Json = nlohmann::ordered_json;

std::optional<double> ratio(std::optional<double> value, std::optional<double> bound) {
  if (!value || !bound) return std::nullopt;
  if (*bound == 0) return *value == 0 ? std::optional(1.0) : std::nullopt;
  return *value / *bound;
}

/// Shows each field of a record to `visit` with its name, in the order of the columns: the one list of them. R is
/// Record, or Record const.
template <typename R, typename Visit>
void each_field(R& r, Visit visit) {
  auto const figures = [&](std::string const& group, auto& f) {
    visit(group + ".rounds", f.rounds);
    visit(group + ".volume_blocks", f.volume_blocks);
    visit(group + ".volume_bytes", f.volume_bytes);
    visit(group + ".critical_blocks", f.critical_blocks);
    visit(group + ".total_blocks", f.total_blocks);
    visit(group + ".received_blocks", f.received_blocks);
    visit(group + ".messages", f.messages);
    visit(group + ".time_s", f.time_s);
  };
  auto const sparse = [&](std::string const& group, auto& f) {
    visit(group + "data_messages", f.data_messages);
    visit(group + "ack_messages", f.ack_messages);
    visit(group + "barrier_messages", f.barrier_messages);
    visit(group + "memory_bytes", f.memory_bytes);
  };
  visit("scenario", r.scenario);
  visit("point", r.point);
  visit("collective", r.collective);
  visit("algorithm", r.algorithm);
  visit("engine", r.engine);
  visit("timing", r.timing);
  visit("p", r.p);
  visit("block_bytes", r.block_bytes);
  visit("rounds", r.rounds);
  visit("volume_blocks", r.volume_blocks);
  visit("volume_bytes", r.volume_bytes);
  visit("messages", r.messages);
  visit("time_s", r.time_s);
  visit("critical_blocks", r.critical_blocks);
  visit("total_blocks", r.total_blocks);
  visit("received_blocks", r.received_blocks);
  visit("redundant_blocks", r.redundant_blocks);
  figures("theory", r.theory);
  sparse("theory.", r.sparse_theory);
  figures("bound", r.bound);
  visit("bound.links", r.bound_links);
  if constexpr (std::is_const_v<R>) {
    visit("gap.rounds", r.gap_rounds());
    visit("gap.volume", r.gap_volume());
  }
  visit("optimal", r.optimal);
  visit("delivered", r.delivered);
  visit("violations", r.violations);
  visit("violation_list", r.violation_list);
  sparse("", r.sparse);
  visit("friends", r.combining.friends);
  visit("iterations", r.combining.iterations);
  visit("pairing_rounds", r.combining.pairing_rounds);
  visit("pairing_messages", r.combining.pairing_messages);
  visit("max_sends", r.combining.max_sends);
  visit("savable_messages", r.combining.savable_messages);
  visit("setup_wall_s", r.combining.setup_wall_s);
  visit("setup_time_s", r.combining.setup_time_s);
  visit("setup_messages", r.combining.setup_messages);
  visit("build_time_s", r.combining.build_time_s);
  visit("payload", r.payload);
  visit("seed", r.seed);
  visit("version", r.version);
  visit("wall_s", r.wall_s);
  visit("error", r.error);
  visit("expanded", r.expanded);
}

template <typename T>
Json json_of(T const& value) {
  return value;
}
template <typename T>
Json json_of(std::optional<T> const& value) {
  return value ? Json(*value) : Json(nullptr);
}
/// An empty word is an absent one.
Json json_of(std::string const& text) { return text.empty() ? Json(nullptr) : Json(text); }

template <typename T>
void read(Json const& json, T& value) {
  value = json.get<T>();
}
template <typename T>
void read(Json const& json, std::optional<T>& value) {
  value = json.is_null() ? std::nullopt : std::optional<T>(json.get<T>());
}
void read(Json const& json, std::string& text) { text = json.is_null() ? "" : json.get<std::string>(); }
void read(Json const& json, Json& value) { value = json; }

/// The place of a dotted name, as it is nested.
template <typename J>
J& place(J& json, std::string const& name) {
  std::size_t const dot = name.find('.');
  return dot == std::string::npos ? json[name] : json[name.substr(0, dot)][name.substr(dot + 1)];
}

/// The columns. What happened in detail stands only in JSON; the expanded scenario is one cell of JSON text, as its
/// keys differ from scenario to scenario.
bool is_column(std::string const& name) { return name != "violation_list"; }

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

Json to_json(Record const& record) {
  Json json;
  each_field(record, [&](std::string const& name, auto const& value) { place(json, name) = json_of(value); });
  return json;
}

Record record_of(Json const& json) {
  Record record;
  each_field(record, [&](std::string const& name, auto& value) { read(place(json, name), value); });
  return record;
}

std::string csv_header() {
  std::string header;
  Record const empty;
  each_field(empty, [&](std::string const& name, auto const&) {
    if (is_column(name)) header += (header.empty() ? "" : ",") + name;
  });
  return header;
}

std::string csv_row(Record const& record) {
  std::string row;
  bool first = true;
  each_field(record, [&](std::string const& name, auto const& value) {
    if (!is_column(name)) return;
    if (!std::exchange(first, false)) row += ',';
    row += csv_cell(json_of(value));
  });
  return row;
}

}  // namespace rondo
