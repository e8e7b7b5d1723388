// The forms of values: integers, sizes, times and lists, with their schemas and readers.

#include "scenario/key.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/units.hpp"

namespace rondo::scenario {
namespace {

Json string_with_unit(std::string_view example) {
  return {{"type", "string"}, {"title", fmt::format("a string with a unit such as \"{}\"", example)}};
}

std::string in_quotes(std::string const& text) { return '"' + text + '"'; }

/// A quantity that is read and printed as text with a unit.
template <typename Quantity>
Form<Quantity> quantity(std::string_view example, Quantity (*parse)(std::string_view)) {
  return {string_with_unit(example), [parse](Place const& place) { return place.unit(parse); },
          [](Quantity const& value) { return in_quotes(print(value)); }};
}

/// The bounds stand in the schema, so a reader need not check them.
template <typename V>
Form<V> number_form(char const* type, V minimum, std::optional<V> maximum) {
  Json schema = {{"type", type}, {"minimum", minimum}};
  if (maximum) schema["maximum"] = *maximum;
  return {std::move(schema), [](Place const& place) { return place.value.get<V>(); },
          [](V const& value) { return fmt::format("{}", value); }};
}

}  // namespace

Form<int> integer(int minimum, int maximum) { return number_form<int>("integer", minimum, maximum); }
Form<std::int64_t> long_integer(std::int64_t minimum, std::int64_t maximum) {
  return number_form<std::int64_t>("integer", minimum, maximum);
}
Form<std::uint64_t> seed() { return number_form<std::uint64_t>("integer", 0, std::nullopt); }
Form<double> number(int minimum, int maximum) {
  Form<double> form = number_form<double>("number", minimum, maximum);
  // As integers, which is how the schema prints them.
  form.schema["minimum"] = minimum;
  form.schema["maximum"] = maximum;
  return form;
}
Form<bool> flag() {
  return {{{"type", "boolean"}},
          [](Place const& place) { return place.value.get<bool>(); },
          [](bool const& value) { return std::string(value ? "true" : "false"); }};
}

Form<Bytes> size(std::string_view example) {
  Form<Bytes> form = quantity(example, parse_bytes);
  // place.size() refuses sizes above largest_size.
  form.read = [](Place const& place) { return place.size(); };
  return form;
}
Form<Bytes> any_size(std::string_view example) { return quantity(example, parse_bytes); }
Form<Seconds> time(std::string_view example) { return quantity(example, parse_seconds); }
Form<Seconds> time_per_byte(std::string_view example) {
  Form<Seconds> form = quantity(example, parse_seconds_per_byte);
  form.written = [](Seconds const& each) { return in_quotes(each > Seconds(0) ? print(each) + "/B" : "0ns/B"); };
  return form;
}
Form<BytesPerSecond> bandwidth(std::string_view example) { return quantity(example, parse_bandwidth); }

Json enum_schema(std::vector<std::string> const& words) { return {{"type", "string"}, {"enum", words}}; }

Json integers_schema(std::string_view title, int fewest, int longest, int minimum, int maximum) {
  return {{"type", "array"},
          {"title", title},
          {"minItems", fewest},
          {"maxItems", longest},
          {"items", {{"type", "integer"}, {"minimum", minimum}, {"maximum", maximum}}}};
}
std::string written_list(std::span<int const> list) {
  return list.empty() ? "" : fmt::format("[{}]", fmt::join(list, ", "));
}

Json extents(std::string_view example) {
  return integers_schema(fmt::format("a list of 1 to 64 extents such as {}", example), 1, 64, 1, 16777216);
}

/// The sizes of blocks: a list, or an expression as a string.
Json sizes_or_expression(std::string_view title, bool may_be_empty) {
  Json schema = {{"type", {"array", "string"}}, {"title", title}};
  if (!may_be_empty) schema["minItems"] = 1;
  schema["minLength"] = 1;
  schema["items"] = with_description(string_with_unit("64KiB"), "the size of a block");
  return schema;
}

Json file_name() { return {{"type", "string"}, {"minLength", 1}, {"title", "the name of a file"}}; }
Json checksum() {
  return {{"type", "string"}, {"minLength", 1}, {"title", "a checksum such as \"fnv1a:0123456789abcdef\""}};
}

Json with_description(Json schema, std::string_view meaning) {
  if (!meaning.empty()) schema["description"] = meaning;
  return schema;
}

std::string with_default(std::string_view meaning, std::string const& value) {
  // A text may say itself where the default stands, or may already explain it in words.
  std::string text(meaning);
  std::size_t const place = text.find("{}");
  if (place != std::string::npos) return text.replace(place, 2, value);
  bool const says_it = value.empty() || text.find("by default") != std::string::npos;
  return says_it ? text : fmt::format("{}; {} by default", text, value);
}

/// The schema of an object without its type: description, required keys and properties.
Json object_of(std::string_view description, std::vector<KeyText> const& keys) {
  Json object = {{"description", description}};
  Json properties = Json::object();
  for (KeyText const& key : keys) {
    properties[key.name] = key.schema;
    if (key.required) object["required"].push_back(key.name);
  }
  object["properties"] = std::move(properties);
  return object;
}

/// The schema of an object that has no kinds and accepts no other keys.
Json object_schema(std::string_view title, std::vector<KeyText> const& keys) {
  Json schema = {{"type", "object"}, {"title", title}, {"description", ""}};
  Json const members = object_of("", keys);
  if (members.contains("required")) schema["required"] = members["required"];
  schema["additionalProperties"] = false;
  schema["properties"] = members["properties"];
  return schema;
}

Json kind_schema(std::string_view name, std::string_view description, std::vector<KeyText> const& keys) {
  Json schema = {{"kind", name}};
  schema.update(object_of(description, keys));
  return schema;
}

Json kinds_schema(std::string_view title, std::string_view description, std::vector<Json> const& kinds) {
  return {{"type", "object"}, {"title", title}, {"description", description}, {"kinds", kinds}};
}

}  // namespace rondo::scenario
