#include "run/points/record.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/printable.hpp"
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

/// The JSON of a CSV cell: text as it is, all else as JSON; nothing is null. Bytes that are no UTF-8 are escaped.
Json json_of_cell(std::string const& cell, Field const& field) {
  if (cell.empty()) return nullptr;
  if (!is_utf8(cell)) return printable(cell);
  if (field.is_text) return cell;
  return Json::accept(cell) ? parsed_result(cell) : Json(cell);
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

/// Reads the field from what `json` finds. InputErrors get the name of the field; one that is made of others is not
/// read.
template <typename Find>
void read(Record& record, Field const& field, Find json) {
  if (!field.read) return;
  try {
    field.read(record, json());
  } catch (InputError const& error) {
    throw InputError(fmt::format("{}: {}", field.name, error.what()));
  }
}

/// What happened in detail stands only in JSON; the expanded scenario is one cell of JSON text, as its keys differ from
/// scenario to scenario.
std::vector<Field> const& columns() {
  static std::vector<Field> const all = [] {
    std::vector<Field> result = fields();
    std::erase_if(result, [](Field const& field) { return !field.is_column; });
    return result;
  }();
  return all;
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
std::optional<double> Record::gap_volume() const {
  // A quotient of whole numbers is rounded once. Where blocks have no bytes, blocks are what is counted.
  bool const in_bytes = volume_bytes && bound.volume_bytes && *bound.volume_bytes > 0;
  return in_bytes ? ratio(volume_bytes, bound.volume_bytes) : ratio(volume_blocks, bound.volume_blocks);
}

Json to_json(Record const& record) {
  Json json;
  for (Field const& field : fields()) place(json, field.name) = field.json(record);
  return json;
}

std::string json_row(Record const& record) { return printable_json(to_json(record).dump()); }

Record record_of(Json const& json) {
  Record record;
  for (Field const& field : fields()) {
    read(record, field, [&]() -> Json const& { return place(json, field.name); });
  }
  return record;
}

Record record_of_cells(std::vector<std::string> const& cells) {
  if (cells.size() != columns().size()) {
    throw InputError(fmt::format("expected {} cells, got {}", columns().size(), cells.size()));
  }
  Record record;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    Field const& field = columns()[i];
    read(record, field, [&] { return json_of_cell(cells[i], field); });
  }
  return record;
}

std::string csv_header() {
  std::string header;
  for (Field const& field : columns()) header += (header.empty() ? "" : ",") + field.name;
  return header;
}

std::string csv_row(Record const& record) {
  std::string row;
  for (Field const& field : columns()) row += (&field == &columns().front() ? "" : ",") + csv_cell(field.json(record));
  return row;
}

}  // namespace rondo
