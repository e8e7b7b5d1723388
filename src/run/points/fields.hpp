#pragma once

// The fields of a record, in one list. The JSON and CSV of records, the names in claims, and the reference
// docs/records.md are all made from it. To add a field, add it to Record and add a row to the list in fields.cpp.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "run/points/record.hpp"

namespace rondo {

/// One field: its meaning, and how it is read from a record and written to one.
struct Field {
  std::string name;      ///< in JSON and CSV; a dot for nesting
  std::string variable;  ///< in claims, after "VALUE.", a shorter name; empty: there is none
  std::string unit;      ///< empty if the value has no unit
  std::string meaning;   ///< what the value is, a phrase
  std::string absent;    ///< when it is null, a phrase; empty: never
  std::string type;      ///< type of its JSON: "an integer", "text", ...
  bool is_text = false;  ///< a CSV cell holds it as it is, not as JSON
  bool is_column = true;
  bool is_recent = false;  ///< JSON that earlier versions wrote is without it
  bool is_rare = false;    ///< JSON is without it where it is null

  std::function<nlohmann::ordered_json(Record const&)> json = {};
  /// Throws InputError for JSON of another type. Unset if the value is computed from others.
  std::function<void(Record&, nlohmann::ordered_json const&)> read = {};
  std::function<std::optional<double>(Record const&)> number = {};  ///< where claims read it
};

/// All fields, in the order of the columns.
std::vector<Field> const& fields();

/// A field by its name, or a number of one step or job of a workload: "steps.NAME.time_s", "jobs.NAME.slowdown".
/// Nothing if there is no such field.
std::optional<Field> field_named(std::string const& name);

/// The reference of all fields, as a page of Markdown.
std::string fields_page();

}  // namespace rondo
