#pragma once

// Makes a row of the list of fields from a member of Record: how its JSON is written and read, and its number in
// claims.
// The type of the member decides, so that a row states only the name and its meaning.

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>
#include <utility>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "run/points/fields.hpp"

namespace rondo::field_row {

using Json = nlohmann::ordered_json;

/// The JSON type of a field: its name in errors, and the test for it.
template <typename T>
struct Shape {
  static constexpr bool number = std::is_floating_point_v<T>;
  static constexpr char const* words = number ? "a number" : "an integer";
  static bool fits(Json const& json) { return number ? json.is_number() : json.is_number_integer(); }
};
/// The form of a type in JSON, and its name in error messages.
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
struct Shape<std::vector<double>> {
  static constexpr char const* words = "a list of numbers";
  static bool fits(Json const& json) {
    return json.is_array() && std::all_of(json.begin(), json.end(), [](Json const& each) { return each.is_number(); });
  }
};
template <>
struct Shape<Json> {
  static constexpr char const* words = "an object";
  static bool fits(Json const& json) { return json.is_object(); }
};
template <typename T>
struct Shape<std::optional<T>> : Shape<T> {};

/// The value as JSON; an unset one is null. Texts are made printable, because they may come from other programs.
template <typename T>
Json json_of(T const& value) {
  return value;
}
template <typename T>
Json json_of(std::optional<T> const& value) {
  return value ? Json(*value) : Json(nullptr);
}
/// An empty text counts as absent. Names of files and the words of programs may be any bytes, whereas JSON and CSV are
/// UTF-8.
inline Json json_of(std::string const& text) { return text.empty() ? Json(nullptr) : Json(printable(text)); }
inline Json json_of(std::optional<std::string> const& text) { return text ? Json(printable(*text)) : Json(nullptr); }
inline Json json_of(std::vector<std::string> const& texts) {
  Json json = Json::array();
  for (std::string const& text : texts) json.push_back(printable(text));
  return json;
}

/// Reads a value of the right type. Throws InputError for another one.
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
inline void read(Json const& json, std::string& text) {
  text.clear();
  if (!json.is_null()) read(json, " or null", text);
}

/// The number that a claim reads; unset if the field is null.
template <typename T>
std::optional<double> number_of(std::optional<T> const& value) {
  return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
}
template <typename T>
std::optional<double> number_of(T const& value) {
  return static_cast<double>(value);
}
template <typename T>
constexpr bool is_number = std::is_arithmetic_v<T>;
template <typename T>
constexpr bool is_number<std::optional<T>> = std::is_arithmetic_v<T>;

/// The texts of a row, in the order of Field.
struct Words {
  std::string name, variable, unit, meaning, absent = {};
};

/// A row whose value is what `in` finds in a record, const or not.
template <typename In>
Field row(Words words, In in) {
  using T = std::remove_cvref_t<decltype(in(std::declval<Record const&>()))>;
  Field field{words.name, words.variable, words.unit, words.meaning, words.absent, Shape<T>::words};
  field.is_text = std::is_same_v<T, std::string> || std::is_same_v<T, std::optional<std::string>>;
  field.json = [in](Record const& record) { return json_of(in(record)); };
  field.read = [in](Record& record, Json const& json) { read(json, in(record)); };
  if constexpr (is_number<T>) field.number = [in](Record const& record) { return number_of(in(record)); };
  return field;
}
/// A row for a member of Record.
template <typename T>
Field row(Words words, T Record::*member) {
  return row(
      std::move(words), [member](auto& record) -> auto& { return record.*member; });
}
/// A row for a member of one of its groups.
template <typename Group, typename T>
Field row(Words words, Group Record::*group, T Group::*member) {
  return row(
      std::move(words), [ group, member ](auto& record) -> auto& { return (record.*group).*member; });
}
/// A row whose value is computed from others.
inline Field row_of(Words const& words, std::optional<double> (Record::*made)() const) {
  Field field{words.name, words.variable, words.unit, words.meaning, words.absent, Shape<double>::words};
  field.json = [made](Record const& record) { return json_of((record.*made)()); };
  field.number = [made](Record const& record) { return (record.*made)(); };
  return field;
}

}  // namespace rondo::field_row
