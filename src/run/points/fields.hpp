#pragma once

// The fields of a record: the one list of them, from which come its JSON and its CSV, the names that claims read, and
// the reference docs/records.md. Who adds a field to Record adds a row to the list in fields.cpp, and that is all.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "run/points/record.hpp"

namespace rondo {

/// One field: what it says, and how it is read from a record and written to one.
struct Field {
  std::string name;      ///< in JSON and CSV; a dot for nesting
  std::string variable;  ///< in claims, after "VALUE.", a shorter word for the name; empty: there is none
  std::string unit;      ///< empty if the value has no unit
  std::string meaning;   ///< what the value is, a phrase
  std::string absent;    ///< when it is null, a phrase; empty: never
  std::string type;      ///< type of its JSON: "an integer", "text", ...
  bool is_text = false;  ///< a CSV cell holds it as it is, not as JSON
  bool is_column = true;
  bool is_recent = false;  ///< JSON that earlier versions wrote is without it
  bool is_rare = false;    ///< JSON is without it where it is null

  std::function<nlohmann::ordered_json(Record const&)> json = {};
  /// Throws InputError for JSON of another type; unset where the value is made of others.
  std::function<void(Record&, nlohmann::ordered_json const&)> read = {};
  std::function<std::optional<double>(Record const&)> number = {};  ///< where claims read it
};

/// All fields, in the order of the columns.
std::vector<Field> const& fields();

/// One of these by its name, or a number of one step or job of workloads: "steps.NAME.time_s", "jobs.NAME.slowdown".
/// Nothing if there is no such field.
std::optional<Field> field_named(std::string const& name);

/// The reference of all fields, as a page of Markdown.
std::string fields_page();

}  // namespace rondo
