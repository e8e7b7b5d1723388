#include "run/points/record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <type_traits>
#include <utility>

#include "base/error.hpp"

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
  visit("bound.message_blocks", r.bound_message_blocks);
  if constexpr (std::is_const_v<R>) {
    visit("gap.rounds", r.gap_rounds());
    visit("gap.volume", r.gap_volume());
  }
  visit("optimal", r.optimal);
  visit("delivered", r.delivered);
  visit("violations", r.violations);
  visit("violation_list", r.violation_list);
  sparse("", r.sparse);
  visit("exchanges", r.exchange_program.exchanges);
  visit("reductions", r.exchange_program.reductions);
  visit("reduction_messages", r.exchange_program.reduction_messages);
  visit("luby_rounds", r.exchange_program.luby_rounds);
  visit("members", r.exchange_program.members);
  visit("colors", r.exchange_program.colors);
  visit("levels", r.exchange_program.levels);
  visit("smallest_part", r.exchange_program.smallest_part);
  visit("largest_part", r.exchange_program.largest_part);
  visit("friends", r.combining.friends);
  visit("iterations", r.combining.iterations);
  visit("pairing_rounds", r.combining.pairing_rounds);
  visit("pairing_messages", r.combining.pairing_messages);
  visit("max_sends", r.combining.max_sends);
  visit("savable_messages", r.combining.savable_messages);
  visit("setup_wall_s", r.combining.setup_wall_s);
  visit("setup_time_s", r.combining.setup_time_s);
  visit("setup_messages", r.combining.setup_messages);
  visit("setup_note", r.combining.setup_note);
  visit("build_time_s", r.combining.build_time_s);
  visit("first_call_time_s", r.combining.first_call_time_s);
  visit("cumulative", r.combining.cumulative);
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

/// What JSON a field is made of: how an error names it, and whether this is it.
template <typename T>
struct Shape {
  static constexpr bool number = std::is_floating_point_v<T>;
  static constexpr char const* words = number ? "a number" : "an integer";
  static bool fits(Json const& json) { return number ? json.is_number() : json.is_number_integer(); }
};
template <>
struct Shape<bool> {
  static constexpr char const* words = "true or false";
  static bool fits(Json const& json) { return json.is_boolean(); }
};
template <>
struct Shape<std::string> {
  static constexpr char const* words = "text";
  static bool fits(Json const& json) { return json.is_string(); }
};
template <>
struct Shape<std::vector<std::string>> {
  static constexpr char const* words = "a list of texts";
  static bool fits(Json const& json) {
    return json.is_array() && std::all_of(json.begin(), json.end(), [](Json const& each) { return each.is_string(); });
  }
};
template <>
struct Shape<Json> {
  static constexpr char const* words = "a scenario";
  static bool fits(Json const& json) { return json.is_object(); }
};

template <typename T>
void read(Json const& json, char const* or_null, T& value) {
  if (!Shape<T>::fits(json)) {
    throw InputError(fmt::format("expected {}{}, got {}", Shape<T>::words, or_null, excerpt(json.dump())));
  }
  value = json.get<T>();
}
template <typename T>
void read(Json const& json, T& value) {
  read(json, "", value);
}
template <typename T>
void read(Json const& json, std::optional<T>& value) {
  value.reset();
  if (!json.is_null()) read(json, " or null", value.emplace());
}
void read(Json const& json, std::string& text) {
  text.clear();
  if (!json.is_null()) read(json, " or null", text);
}

/// The JSON of a CSV cell: text as it is, all else as JSON; nothing is null.
template <typename T>
Json json_of_cell(std::string const& cell, T const& /*of_this_type*/) {
  if (cell.empty()) return nullptr;
  if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, std::optional<std::string>>) return cell;
  return Json::accept(cell) ? Json::parse(cell) : Json(cell);
}

/// The place of a dotted name, as it is nested.
Json& place(Json& json, std::string const& name) {
  std::size_t const dot = name.find('.');
  return dot == std::string::npos ? json[name] : json[name.substr(0, dot)][name.substr(dot + 1)];
}
Json const& member_of(Json const& json, std::string const& name) {
  if (!json.is_object() || !json.contains(name)) throw InputError("expected a value or null, there is none");
  return json[name];
}
Json const& place(Json const& json, std::string const& name) {
  std::size_t const dot = name.find('.');
  return dot == std::string::npos ? member_of(json, name)
                                  : member_of(member_of(json, name.substr(0, dot)), name.substr(dot + 1));
}

/// Does `act`, whose InputErrors get the name of the field.
template <typename Act>
void in_field(std::string const& name, Act act) {
  try {
    act();
  } catch (InputError const& error) {
    throw InputError(fmt::format("{}: {}", name, error.what()));
  }
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
  each_field(record,
             [&](std::string const& name, auto& value) { in_field(name, [&] { read(place(json, name), value); }); });
  return record;
}

Record record_of_cells(std::vector<std::string> const& cells) {
  std::map<std::string, std::size_t> places;
  Record record;
  each_field(std::as_const(record), [&](std::string const& name, auto const&) {
    if (is_column(name)) places.emplace(name, places.size());
  });
  if (cells.size() != places.size()) {
    throw InputError(fmt::format("expected {} cells, got {}", places.size(), cells.size()));
  }
  each_field(record, [&](std::string const& name, auto& value) {
    if (!is_column(name)) return;
    in_field(name, [&] { read(json_of_cell(cells[places.at(name)], value), value); });
  });
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
