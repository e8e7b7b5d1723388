// Writes and reads records by the list of fields (fields.hpp).

#include "run/points/record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "json/value.hpp"
#include "run/points/fields.hpp"
#include "run/points/results_file.hpp"

namespace rondo {
namespace {

using Json = nlohmann::ordered_json;

std::optional<double> ratio(std::optional<double> value, std::optional<double> bound) {
  if (!value || !bound) return std::nullopt;
  if (*bound == 0) return *value == 0 ? std::optional(1.0) : std::nullopt;
  return *value / *bound;
}

/// The JSON of a CSV cell: text stays text, all else is JSON, and nothing is null. Bytes that are not UTF-8 are
/// escaped.
Json json_of_cell(std::string const& cell, Field const& field) {
  if (cell.empty()) return nullptr;
  if (!is_utf8(cell)) return printable(cell);
  if (field.is_text) return cell;
  return json::is_json(cell) ? parsed_result(cell) : Json(cell);
}

/// The place in nested JSON for a dotted name.
Json& place(Json& json, std::string const& name) {
  std::size_t const dot = name.find('.');
  return dot == std::string::npos ? json[name] : json[name.substr(0, dot)][name.substr(dot + 1)];
}
Json const& member_of(Json const& json, std::string const& name) {
  if (!json.is_object() || !json.contains(name)) throw InputError("expected a value or null, got none");
  return json[name];
}
Json const& place(Json const& json, std::string const& name) {
  std::size_t const dot = name.find('.');
  return dot == std::string::npos ? member_of(json, name)
                                  : member_of(member_of(json, name.substr(0, dot)), name.substr(dot + 1));
}

/// Whether the JSON has this field; a dot in the name stands for nesting.
bool has(Json const& json, std::string const& name) {
  std::size_t const dot = name.find('.');
  if (dot == std::string::npos) return json.contains(name);
  std::string const outer = name.substr(0, dot);
  return json.contains(outer) && json[outer].is_object() && json[outer].contains(name.substr(dot + 1));
}

/// Reads the field from the value that `json` finds. InputErrors begin with the name of the field. A field that is
/// computed from others is not read.
template <typename Find>
void read(Record& record, Field const& field, Find json) {
  if (!field.read) return;
  try {
    field.read(record, json());
  } catch (InputError const& error) {
    throw InputError(fmt::format("{}: {}", field.name, error.what()));
  }
}

/// The fields that are columns. Details are in JSON only; the expanded scenario is a single cell of JSON text, because
/// its keys differ between scenarios.
std::vector<Field> const& columns() {
  static std::vector<Field> const all = [] {
    std::vector<Field> result = fields();
    std::erase_if(result, [](Field const& field) { return !field.is_column; });
    return result;
  }();
  return all;
}

std::string csv_text(Json const& value) {
  return value.is_string() ? value.get<std::string>() : printable_json(value.dump());
}

/// A cell by RFC 4180: with quotes if it contains a comma, a quote or a line end.
std::string csv_cell(Json const& value) {
  if (value.is_null()) return "";
  std::string const text = csv_text(value);
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (char const c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

/// Whether the cell of a swept value contains its label. An object may differ from the scenario's, because a later
/// pointer may lead into it.
bool is_label(std::string const& cell, Json const& value) {
  return cell != csv_text(value) && cell.front() != '{' && cell.front() != '[';
}

/// Reads the cells of swept values. A cell does not show whether its value was text; the scenario of the point does. An
/// empty cell belongs to another sweep, and a cell with a different value contains a label.
void add_swept(Record& record, std::vector<std::string> const& swept, std::vector<std::string> const& cells) {
  for (std::size_t i = 0; i < swept.size(); ++i) {
    if (cells[i].empty()) continue;
    try {
      Json const& value = record.expanded.at(Json::json_pointer(swept[i]));
      record.swept[swept[i]] = value;
      if (!is_label(cells[i], value)) continue;
      if (!record.labels) record.labels = Json::object();
      (*record.labels)[swept[i]] = cells[i];
    } catch (Json::exception const&) {
      throw InputError(
          fmt::format("{}: expected what \"expanded\" has there, got {}", excerpt(swept[i]), excerpt(cells[i])));
    }
  }
}

}  // namespace

std::optional<double> Record::gap_rounds() const { return ratio(rounds, bound.rounds); }
std::optional<double> Record::gap_volume() const {
  // A quotient of whole numbers is rounded only once. If blocks have no bytes, blocks are counted.
  bool const in_bytes = volume_bytes && bound.volume_bytes && *bound.volume_bytes > 0;
  return in_bytes ? ratio(volume_bytes, bound.volume_bytes) : ratio(volume_blocks, bound.volume_blocks);
}

Json to_json(Record const& record) {
  Json json;
  for (Field const& field : fields()) {
    Json value = field.json(record);
    if (!field.is_rare || !value.is_null()) place(json, field.name) = std::move(value);
  }
  return json;
}

std::string json_row(Record const& record) { return printable_json(to_json(record).dump()); }

/// A field that older versions did not write may be absent.
Record record_of(Json const& json) {
  Record record;
  for (Field const& field : fields()) {
    if (field.is_recent && !has(json, field.name)) continue;
    read(record, field, [&]() -> Json const& { return place(json, field.name); });
  }
  return record;
}

Record record_of_cells(std::vector<std::string> const& cells, std::vector<std::string> const& swept) {
  std::size_t const expected = columns().size() + swept.size();
  if (cells.size() != expected) throw InputError(fmt::format("expected {} cells, got {}", expected, cells.size()));
  Record record;
  for (std::size_t i = 0; i < columns().size(); ++i) {
    Field const& field = columns()[i];
    read(record, field, [&] { return json_of_cell(cells[i], field); });
  }
  add_swept(record, swept, {cells.begin() + static_cast<std::ptrdiff_t>(columns().size()), cells.end()});
  return record;
}

namespace {

/// The cells of the named fields, or of all columns, separated by commas.
std::string cells_of(std::vector<std::string> const& names, auto const& cell) {
  std::string row;
  if (names.empty()) {
    for (Field const& field : columns()) row += cell(field) + ",";
  }
  for (std::string const& name : names) row += cell(*field_named(name)) + ",";
  row.pop_back();
  return row;
}

}  // namespace

std::string csv_header(std::vector<std::string> const& swept, std::vector<std::string> const& names) {
  std::string header = cells_of(names, [](Field const& field) { return field.name; });
  for (std::string const& pointer : swept) header += "," + csv_cell(pointer);
  return header;
}

std::string csv_row(Record const& record, std::vector<std::string> const& swept,
                    std::vector<std::string> const& names) {
  std::string row = cells_of(names, [&](Field const& field) { return csv_cell(field.json(record)); });
  for (std::string const& pointer : swept) {
    bool const labelled = record.labels && record.labels->contains(pointer);
    row += "," + csv_cell((labelled ? *record.labels : record.swept).value(pointer, Json()));
  }
  return row;
}

std::optional<std::vector<std::string>> swept_columns(std::vector<std::string> const& header) {
  std::size_t const known = columns().size();
  if (header.size() < known) return std::nullopt;
  for (std::size_t i = 0; i < known; ++i) {
    if (header[i] != columns()[i].name) return std::nullopt;
  }
  std::vector<std::string> swept(header.begin() + static_cast<std::ptrdiff_t>(known), header.end());
  bool const pointers = std::ranges::all_of(swept, [](std::string const& each) { return each.starts_with('/'); });
  return pointers ? std::optional(std::move(swept)) : std::nullopt;
}

}  // namespace rondo
