// Flattens the schema at a place: resolves conditions for the value that is there, and follows properties and items.

#include "scenario/sub_schema.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "scenario/schema_check.hpp"

namespace rondo::scenario {
namespace {

/// Returns a reference, because items() of a temporary object would dangle.
Json const& properties_of(Json const& schema) {
  static Json const none = Json::object();
  return schema.contains("properties") ? schema["properties"] : none;
}

/// Later statements win; properties and required keys are united.
void merge(Json& into, Json const& more) {
  for (auto const& [key, statement] : more.items()) {
    if (key == "properties") {
      for (auto const& [name, property] : statement.items()) {
        Json& merged = into["properties"][name];
        if (merged.is_null()) merged = Json::object();
        merge(merged, property);
      }
    } else if (key == "required") {
      for (Json const& name : statement) into["required"].push_back(name);
    } else {
      into[key] = statement;
    }
  }
}

/// The schema after one more token. `value` is the value before the token, null if the document has none there. Returns
/// null if the schema does not know such a value.
Json const* step(Json const& here, Json const* value, std::string const& token) {
  bool const may_be_list = value == nullptr || value->is_array();
  bool const may_be_object = value == nullptr || value->is_object();
  if (may_be_object && here.contains("properties") && here["properties"].contains(token)) {
    return &here["properties"][token];
  }
  if (may_be_object && here.contains("additionalProperties") && here["additionalProperties"].is_object()) {
    return &here["additionalProperties"];
  }
  return may_be_list && here.contains("items") ? &here["items"] : nullptr;
}

/// The name of the type, "an integer" or "a number", with its limits.
std::string number_expectation(Json const& schema, std::string const& name) {
  auto const limit = [&](char const* key, char const* meaning) {
    return schema.contains(key) ? fmt::format(" {} {}", meaning, schema[key].dump()) : "";
  };
  if (schema.contains("minimum") && schema.contains("maximum"))
    return name + limit("minimum", "from") + limit("maximum", "to");
  return name + limit("minimum", "of at least") + limit("exclusiveMinimum", "greater than") +
         limit("maximum", "of at most");
}

/// The schema of a place, with its own conditions still in it.
std::optional<Json> conditional_at(Json const& schema, Json const& document, Tokens const& tokens) {
  Json here = schema;
  Json const* value = &document;
  for (std::string const& token : tokens) {
    Json const outer = flat(here, value);
    Json const* next = step(outer, value, token);
    if (next == nullptr) return std::nullopt;
    here = *next;
    value = value == nullptr ? nullptr : find(*value, {token});
  }
  return here;
}

}  // namespace

Json flat(Json const& schema, Json const* value) {
  Json result = schema;
  result.erase("allOf");
  for (Json const& part : schema.value("allOf", Json::array())) {
    if (!part.contains("if")) {
      merge(result, flat(part, value));
      continue;
    }
    bool const held = value != nullptr && !deepest_fault(part["if"], *value);
    if (value == nullptr || held) merge(result, flat(part["then"], value));
    if ((value == nullptr || !held) && part.contains("else")) merge(result, flat(part["else"], value));
  }
  return result;
}

std::optional<Json> schema_at(Json const& schema, Json const& document, Tokens const& tokens) {
  std::optional<Json> const here = conditional_at(schema, document, tokens);
  if (!here) return std::nullopt;
  return flat(*here, find(document, tokens));
}

std::vector<std::string> possible_keys(Json const& schema, Json const& document, Tokens const& tokens) {
  std::optional<Json> const here = conditional_at(schema, document, tokens);
  return here ? known_keys(flat(*here, nullptr)) : std::vector<std::string>();
}

std::vector<std::string> known_keys(Json const& flat_schema) {
  std::vector<std::string> keys;
  for (auto const& [key, property] : properties_of(flat_schema).items()) keys.push_back(key);
  return keys;
}

/// The noun phrase of "expected ...": the title, or one made of enum, type and limits.
std::string expectation(Json const& flat_schema) {
  if (flat_schema.contains("title")) return flat_schema["title"].get<std::string>();
  if (flat_schema.contains("enum")) {
    Json const& words = flat_schema["enum"];
    std::vector<std::string> texts;
    for (Json const& word : words) texts.push_back(word.dump());
    return fmt::format("{}{}", words.size() > 1 ? "one of " : "", listed(texts, ", "));
  }
  std::string const type = flat_schema.value("type", "value");
  if (type == "integer") return number_expectation(flat_schema, "an integer");
  if (type == "number") return number_expectation(flat_schema, "a number");
  if (type == "boolean") return "true or false";
  if (type == "array") return "a list";
  return type == "object" ? "an object" : "a string";
}

}  // namespace rondo::scenario
