#pragma once

// Tables of keys. A row says all about a key: its name, the member that it fills, the form of its value with an
// example, and its meaning. From the row follow the key's schema, the default in its description, and its reader:
//
//   key("theta", &CommonNeighbors::theta, integer(2, 16777216), "the number of common neighbors that ...")
//
// The default is the value of the member in usual<T>(). It stands at the end of the description ("; 4 by default"), or
// in the place of "{}" in the meaning. A meaning that says "by default" itself stays as it is. A key whose value the
// family reads itself has a row without a member.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/enum_names.hpp"
#include "base/error.hpp"
#include "json/value.hpp"
#include "scenario/read.hpp"

namespace rondo::scenario {

/// The form of a key's value: its schema without a description, the function that reads it, and the function that
/// writes a default value as text.
template <typename V>
struct Form {
  Json schema;
  std::function<V(Place const&)> read;
  std::string (*written)(V const&) = nullptr;  ///< null: the default is not written
};

/// Forms for the usual values. The example becomes part of the text "expected ..." and of `rondo list`.
Form<int> integer(int minimum, int maximum);
Form<std::int64_t> long_integer(std::int64_t minimum, std::int64_t maximum);
/// An integer from 0.
Form<std::uint64_t> seed();
Form<double> number(int minimum, int maximum);
Form<bool> flag();
/// A size of at most largest_size. `example` is a text such as "64KiB" for messages.
Form<Bytes> size(std::string_view example);
Form<Bytes> any_size(std::string_view example);
Form<Seconds> time(std::string_view example);
Form<Seconds> time_per_byte(std::string_view example);
Form<BytesPerSecond> bandwidth(std::string_view example);
/// A string that is one of these names.
Json enum_schema(std::vector<std::string> const& words);
/// The name of a value of an enumeration.
template <typename Enum>
Form<Enum> word() {
  return {enum_schema(all_enum_names<Enum>()), [](Place const& place) { return known_value<Enum>(place.text()); },
          [](Enum const& value) { return enum_name(value); }};
}
/// true or false, which stand for the two values of an enumeration.
template <auto no, auto yes>
Form<decltype(yes)> flag_of() {
  return {flag().schema, [](Place const& place) { return place.value.get<bool>() ? yes : no; },
          [](auto const& value) { return std::string(value == yes ? "true" : "false"); }};
}
Json integers_schema(std::string_view title, int fewest, int longest, int minimum, int maximum);
/// A list as it stands in JSON, for the text of a default.
std::string written_list(std::span<int const> list);
/// A list of `fewest` to `longest` integers, which is read into a vector or an array. An empty list is not written as a
/// default.
template <typename List = std::vector<int>>
Form<List> integers(std::string_view title, int fewest, int longest, int minimum, int maximum) {
  return {integers_schema(title, fewest, longest, minimum, maximum),
          [](Place const& place) { return place.value.get<List>(); },
          [](List const& list) { return written_list(list); }};
}
/// The same form for members whose initial value stands for "not stated", so that it is not written as a default.
template <typename V>
Form<V> without_default(Form<V> form) {
  form.written = nullptr;
  return form;
}
/// The extents of a torus or a mesh; `example`: "[8, 8]".
Json extents(std::string_view example);
/// A list of sizes, or an expression: the schema of block_sizes without its description.
Json sizes_or_expression(std::string_view title, bool may_be_empty = false);
/// The schemas of the name of a file, and of the checksum of one.
Json file_name();
Json checksum();

/// The part of a row that becomes schema.
struct KeyText {
  std::string name;
  Json schema;
  bool required = false;
};
/// A row of a table: a key of the objects that are read into a T.
template <typename T>
struct Key {
  KeyText text;
  std::function<void(T&, Place const&)> read = {};  ///< of the key's own place; absent: the family reads it itself
};
template <typename T>
using Table = std::vector<Key<T>>;

/// Whether an object must have the key.
enum class Need : std::uint8_t { optional, required };

/// The schema with this description at its end, or in the place of its own one. An empty description adds none.
Json with_description(Json schema, std::string_view meaning);
/// A meaning with the default: "...; 4 by default".
std::string with_default(std::string_view meaning, std::string const& value);

/// The T with default values, which the keys of a table change. A struct without a default constructor specializes this
/// function.
template <typename T>
T usual() {
  return T{};
}

/// A key whose value goes to this member. Its default is stated in the schema unless it is required.
template <typename T, typename V>
Key<T> key(std::string_view name, V T::*member, Form<V> const& form, std::string_view meaning,
           Need need = Need::optional) {
  bool const has_default = form.written && need == Need::optional;
  std::string const text = has_default ? with_default(meaning, form.written(usual<T>().*member)) : std::string(meaning);
  return {{std::string(name), with_description(form.schema, text), need == Need::required},
          [member, read = form.read](T& into, Place const& place) { into.*member = read(place); }};
}
/// A row for a member that stays unset if the key is left out.
template <typename T, typename V>
Key<T> key(std::string_view name, std::optional<V> T::*member, Form<V> const& form, std::string_view meaning) {
  return {{std::string(name), with_description(form.schema, meaning)},
          [member, read = form.read](T& into, Place const& place) { into.*member = read(place); }};
}
/// A row whose value the family reads itself.
template <typename T>
Key<T> key(std::string_view name, Json schema, std::string_view meaning, Need need = Need::optional) {
  return {{std::string(name), with_description(std::move(schema), meaning), need == Need::required}};
}
/// The rows of a struct that is a member of T, as rows of T.
template <typename T, typename Part>
Table<T> within(Part T::*part, Table<Part> const& rows) {
  Table<T> table;
  for (Key<Part> const& row : rows) {
    std::function<void(T&, Place const&)> read;
    if (row.read) read = [part, inner = row.read](T& into, Place const& place) { inner(into.*part, place); };
    table.push_back({row.text, std::move(read)});
  }
  return table;
}
template <typename T>
Table<T> operator+(Table<T> first, Table<T> const& more) {
  first.insert(first.end(), more.begin(), more.end());
  return first;
}

/// What the schema needs of a table.
template <typename T>
std::vector<KeyText> texts_of(Table<T> const& table) {
  std::vector<KeyText> texts;
  for (Key<T> const& row : table) texts.push_back(row.text);
  return texts;
}
/// The schema of an object with these keys: description, required, properties.
Json object_of(std::string_view description, std::vector<KeyText> const& keys);

/// Reads each key that the object has into its member.
template <typename T>
void read_keys(Table<T> const& table, Place const& object, T& into) {
  for (Key<T> const& row : table) {
    char const* const name = row.text.name.c_str();
    if (row.read && object.has(name)) row.read(into, object[name]);
  }
}

/// One of several kinds of an object, which its key `kind` tells apart. The schema has the name as its `kind`.
template <typename Whole>
struct Variety {
  std::string name;
  Json schema;
  std::function<Whole(Place const&)> read;
};
Json kind_schema(std::string_view name, std::string_view description, std::vector<KeyText> const& keys);

/// A variety whose keys are those of a table. `finish` reads the keys that no row reads, and checks the whole.
template <typename Whole, typename T>
Variety<Whole> variety(std::string_view name, std::string_view description, Table<T> table,
                       std::function<void(T&, Place const&)> finish = {}) {
  Json schema = kind_schema(name, description, texts_of(table));
  return {std::string(name), std::move(schema),
          [table = std::move(table), finish = std::move(finish)](Place const& place) -> Whole {
            T value = usual<T>();
            read_keys(table, place, value);
            if (finish) finish(value, place);
            return value;
          }};
}

/// The schema of an object that is one of these kinds. schema.cpp turns its list `kinds` into conditions.
Json kinds_schema(std::string_view title, std::string_view description, std::vector<Json> const& kinds);
/// The form of an object whose "kind" selects one of several sets of keys.
template <typename Whole>
Form<Whole> one_of(std::string_view title, std::string_view description, std::vector<Variety<Whole>> varieties) {
  std::vector<Json> kinds;
  for (Variety<Whole> const& each : varieties) kinds.push_back(each.schema);
  return {kinds_schema(title, description, kinds), [varieties = std::move(varieties)](Place const& place) {
            std::string const kind = place["kind"].text();
            auto const found = std::ranges::find(varieties, kind, &Variety<Whole>::name);
            expects(found != varieties.end(), "a reader for each kind");
            return found->read(place);
          }};
}

Json object_schema(std::string_view title, std::vector<KeyText> const& keys);
/// An object with the keys of a table.
template <typename T>
Form<T> object(std::string_view title, Table<T> table) {
  Json schema = object_schema(title, texts_of(table));
  return {std::move(schema), [table = std::move(table)](Place const& place) {
            T value = usual<T>();
            read_keys(table, place, value);
            return value;
          }};
}

}  // namespace rondo::scenario
