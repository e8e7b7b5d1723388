// Turns a fault of the schema into one line for people: the place, the expectation, the value, and the nearest name.

#include "scenario/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "base/suggest.hpp"
#include "scenario/sub_schema.hpp"

namespace rondo::scenario {
namespace {

/// Whether the value has the type, or one of the types, that a schema names.
bool is_one_of(Json const& types, Json const& value) {
  if (types.is_array())
    return std::any_of(types.begin(), types.end(), [&](auto& type) { return is_one_of(type, value); });
  auto const type = types.get<std::string>();
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "number") return value.is_number();
  if (type == "null") return value.is_null();
  return type == "boolean" ? value.is_boolean() : value.is_number_integer();
}

std::vector<std::string> words(Json const& list) {
  std::vector<std::string> result;
  for (Json const& word : list) {
    if (word.is_string()) result.push_back(word.get<std::string>());
  }
  return result;
}

std::string unexpected(Json const& schema, Json const& value) {
  std::string hint;
  if (value.is_string() && schema.contains("enum")) {
    hint = did_you_mean(value.get_ref<std::string const&>(), words(schema["enum"]));
  }
  return fmt::format("expected {}, got {}{}", expectation(schema), shown(value), hint);
}

/// The first key of an object that the schema does not know; empty if it knows all.
std::string unknown_key(Json const& schema, Json const& object) {
  if (schema.value("additionalProperties", Json(true)) != Json(false)) return "";
  std::vector<std::string> const accepted_keys = known_keys(schema);
  for (auto const& [key, value] : object.items()) {
    if (std::find(accepted_keys.begin(), accepted_keys.end(), key) != accepted_keys.end()) continue;
    std::string const hint = did_you_mean(key, accepted_keys);
    std::string const accepted = hint.empty() ? fmt::format("; accepted: {}", quoted(accepted_keys)) : hint;
    return fmt::format("unknown key \"{}\"{}", excerpt(key), accepted);
  }
  return "";
}

/// The first required key that the object lacks, with its form and its meaning; empty if it lacks none.
std::string missing_key(Json const& schema, Json const& object) {
  for (Json const& name : schema.value("required", Json::array())) {
    auto const key = name.get<std::string>();
    if (object.contains(key)) continue;
    Json const& property = schema["properties"][key];
    std::string const meaning = property.value("description", "");
    return fmt::format("missing key \"{}\" ({}{}{})", key, expectation(property), meaning.empty() ? "" : ": ", meaning);
  }
  return "";
}

/// The error in one value, without its members. The schema is flat.
std::string fault(Json const& schema, Json const& value) {
  if (schema.contains("type") && !is_one_of(schema["type"], value)) return unexpected(schema, value);
  if (value.is_object()) {
    std::string const unknown = unknown_key(schema, value);
    std::string const problem = unknown.empty() ? missing_key(schema, value) : unknown;
    if (!problem.empty()) return problem;
  }
  return unexpected(schema, value);
}

/// Objects of a scenario with keys of their own, to which a misplaced key may belong.
constexpr std::array homes = {"",
                              "/machine",
                              "/machine/topology",
                              "/machine/flow",
                              "/machine/loggp",
                              "/collective",
                              "/collective/neighborhood",
                              "/collective/graph"};

/// Rondo's key for a name that other programs, and people, use.
std::string own_name(std::string const& key) {
  static std::map<std::string, std::string> const words{{"ppn", "ranks_per_host"},
                                                        {"processes_per_node", "ranks_per_host"},
                                                        {"tasks_per_node", "ranks_per_host"},
                                                        {"ranks_per_node", "ranks_per_host"},
                                                        {"nodes", "hosts"},
                                                        {"np", "ranks"},
                                                        {"nprocs", "ranks"},
                                                        {"processes", "ranks"},
                                                        {"message_size", "block"},
                                                        {"size", "block"},
                                                        {"bytes", "block"},
                                                        {"alpha", "latency"},
                                                        {"beta", "bandwidth"},
                                                        {"extents", "dims"},
                                                        {"dimensions", "dims"},
                                                        {"shape", "dims"},
                                                        {"claims", "expect"}};
  auto const found = words.find(key);
  return found == words.end() ? key : found->second;
}

/// Where an unknown key belongs: "; did you mean /machine/latency?"; empty if that is unknown.
std::string right_place(Json const& document, Tokens const& here, std::string const& key) {
  std::string const word = own_name(key);
  for (char const* const home : homes) {
    Tokens const tokens = split(home);
    if (find(document, tokens) == nullptr || (tokens == here && word == key)) continue;
    std::optional<Json> const schema_there = schema_at(schema(), document, tokens);
    if (!schema_there) continue;
    std::vector<std::string> const accepted_keys = known_keys(*schema_there);
    if (std::ranges::find(accepted_keys, word) == accepted_keys.end()) continue;
    return fmt::format("; did you mean {}/{}?", home, word);
  }
  bool const is_of_topology = here == Tokens{"machine"} && (word == "hosts" || word == "dims");
  return is_of_topology ? fmt::format("; did you mean /machine/topology/{}?", word) : "";
}

/// The error of a single value, with a hint that follows from the rest of the document.
std::string with_hint(std::string fault, Json const& document, Tokens const& place, Json const& schema,
                      Json const& value) {
  constexpr std::string_view begin = "unknown key \"";
  if (fault.starts_with(begin)) {
    std::string const key = fault.substr(begin.size(), fault.find('"', begin.size()) - begin.size());
    std::string const right = right_place(document, place, key);
    if (right.empty() || fault.find("did you mean") != std::string::npos) return fault;
    return fmt::format("{}{}\"{}", begin, key, right);
  }
  bool const takes_list = schema.contains("type") && is_one_of(schema["type"], Json::array());
  bool const is_in_scenario = !place.empty() && place.front() != "sweep" && place.front() != "expect";
  auto const fits = [&](Json const& each) { return !schema.contains("type") || is_one_of(schema["type"], each); };
  bool const lists_values = value.is_array() && !value.empty() && std::ranges::all_of(value, fits);
  if (lists_values && !takes_list && is_in_scenario) {
    fault += fmt::format("; values to run one after the other are a sweep: \"sweep\": {{\"{}\": {}}}", join(place),
                         shown(value));
  }
  return fault;
}

/// Splits a pointer of a sweep or of --set. For a key without a slash it suggests the pointer.
Tokens split_at(std::string const& pointer, std::string const& file, std::string const& place) {
  try {
    Tokens tokens = split(pointer);
    if (!tokens.empty()) return tokens;
  } catch (InputError const& error) {
    bool const is_key = pointer.find_first_of("/~#") == std::string::npos && !pointer.empty();
    std::string meant = "/" + excerpt(pointer);
    std::ranges::replace(meant, '.', '/');
    throw error_at(
        file, place,
        fmt::format("{}, got \"{}\"{}", error.what(), excerpt(pointer), is_key ? did_you_mean({meant}) : ""));
  }
  throw error_at(file, place, "expected a JSON pointer, which begins with /, got \"\"");
}

/// The keys at a place, or those that the schema would know there.
std::vector<std::string> keys_at(Json const& document, Tokens const& tokens, Json const& value) {
  if (!value.is_object()) return {};
  std::vector<std::string> keys = possible_keys(schema(), document, tokens);
  for (auto const& [key, inner] : value.items()) keys.push_back(key);
  return keys;
}

}  // namespace

void validate(Json const& document, std::string const& file, Extent extent, std::string const& hidden,
              std::string const& within) {
  std::optional<Tokens> const place = deepest_fault(extent, document);
  if (!place) return;
  Json const* value = find(document, *place);
  std::optional<Json> const expected = schema_at(schema_of(extent), document, *place);
  if (value == nullptr || !expected) throw ContractViolation("a fault at a place of the document and of the schema");
  Json expected_part = *expected;
  if (place->empty() && extent == Extent::part) expected_part.erase("required");
  std::string const pointer = join(*place);
  expects(pointer.starts_with(hidden), "a fault inside what the file holds");
  throw error_at(file, within + pointer.substr(hidden.size()),
                 with_hint(fault(expected_part, *value), document, *place, expected_part, *value));
}

/// Follows a pointer into the document. The last key may be absent if the schema accepts it there. Throws PlacedError,
/// which names the keys that exist.
Tokens match(Json const& document, std::string const& pointer, std::string const& file, std::string const& place) {
  Tokens const tokens = split_at(pointer, file, place);
  Json const* here = &document;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    Json const* next = find(*here, {tokens[i]});
    if (next == nullptr) {
      Tokens const walked(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(i));
      std::vector<std::string> const accepted_keys = keys_at(document, walked, *here);
      bool const is_last = i + 1 == tokens.size();
      if (is_last && std::find(accepted_keys.begin(), accepted_keys.end(), tokens[i]) != accepted_keys.end())
        return tokens;
      throw error_at(file, place,
                     fmt::format("\"{}\" matches nothing: {} has no \"{}\"{}", excerpt(pointer),
                                 i == 0 ? "the scenario" : excerpt(join(walked)), excerpt(tokens[i]),
                                 did_you_mean(tokens[i], accepted_keys)));
    }
    here = next;
  }
  return tokens;
}

}  // namespace rondo::scenario
