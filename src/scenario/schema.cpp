// The schema of scenarios. It is the one list of keys: `rondo schema` prints it, `rondo list` is read off it, and every
// message derives from it, with these habits:
// - `title` is the noun phrase of "expected ..."; without one the phrase is made from type, enum and limits.
// - A tagged object has in `allOf` one `if` (a `const` of `kind`) with one `then` for each of its kinds; `then` lists
//   all keys, so that it can refuse others. Here it has the list `kinds` instead, from which all of this is made. A
//   kind is an object with the value of `kind`, its description, and its keys without `kind`, or the name alone of a
//   kind of process graphs; a new kind of collective is a CollectiveKind.

#include "base/error.hpp"
#include "json/value.hpp"
#include "scenario/arrival_and_noise.hpp"
#include "scenario/enum_names.hpp"
#include "scenario/kinds.hpp"
#include "scenario/machine.hpp"
#include "scenario/scenario.hpp"

namespace rondo::scenario {
namespace {

constexpr char const* text = R"json({
"$schema": "http://json-schema.org/draft-07/schema#",
"title": "an object that describes a scenario",
"type": "object",
"required": ["machine", "collective"],
"additionalProperties": false,
"properties": {
  "$schema": {"type": "string", "description": "the address of this schema, for editors"},
  "schema_version": {"type": "integer", "enum": [1], "description": "the version of this format; 1 by default"},
  "title": {"type": "string", "description": "what the scenario shows"},
  "source": {"type": "string", "description": "the paper, figure or table that it comes from"},
  "machine": null,
  "collective": {
    "type": "object",
    "title": "an object such as {\"kind\": \"allgather\", \"ranks\": 8}",
    "description": "the collective operation",
    "kinds": []
  },
  "algorithm": {"type": "string", "description": "the algorithm of the collective"},
  "block": {"type": "string", "title": "a string with a unit such as \"64KiB\"",
            "description": "m: the bytes of one block"},
  "engine": {"type": "string", "enum": [],
             "description": "the simulator: smpi (an MPI program on SimGrid; by default) or native (Rondo's own engine)"},
  "payload": {"type": "string", "enum": [],
              "description": "whether the engine smpi moves data: verified (it moves and checks every byte), timing (it moves no byte) or automatic (verified, unless the data is large); automatic by default"},
  "posting": {"type": "string", "enum": [],
              "description": "the order in which a rank posts the messages of a round: the order of its list of neighbors (by default), ascending (by rank), shifted (by rank, beginning with the rank after it), or random (by the seed)"},
  "arrival": null,
  "replications": {"type": "integer", "minimum": 1, "maximum": 1000000,
                   "description": "how often the point is simulated, each time with other draws of noise and arrival; 1 by default"},
  "seed": {"type": "integer", "minimum": 0, "maximum": 9223372036854775807,
           "description": "the seed of all random numbers; 1 by default"},
  "inputs": {
    "type": "object",
    "title": "an object with a checksum and a length for each name of a file",
    "description": "the checksum and length of each file that the point is read from. Records contain them, and a changed file is refused.",
    "additionalProperties": {"type": "string", "title": "a checksum and a length such as \"fnv1a:0123456789abcdef 120B\""}
  },
  "sweep": {
    "type": ["object", "array"],
    "title": "an object of JSON pointers with lists of values, or a list of such objects",
    "description": "JSON pointers with lists of values. An object gives a point for each combination of values. A list may have several objects: the k-th values of all lists in one object belong together, and each object is combined with every other object.",
    "additionalProperties": {"type": "array", "title": "a list of one or more values", "minItems": 1},
    "items": {"type": "object", "title": "an object of JSON pointers with lists of values", "minProperties": 1,
              "additionalProperties": {"type": "array", "title": "a list of one or more values", "minItems": 1}}
  },
  "expect": {
    "type": "array",
    "title": "a list of claims",
    "description": "the claims that `rondo check` judges, once for each combination of the swept values except those of `across`",
    "items": {
      "type": "object",
      "title": "an object such as {\"claim\": \"six rounds\", \"that\": \"torus.rounds == 6\"}",
      "required": ["claim", "that"],
      "additionalProperties": false,
      "properties": {
        "claim": {"type": "string", "title": "a non-empty string", "minLength": 1, "description": "the name of the claim"},
        "that": {"type": "string", "title": "a non-empty expression", "minLength": 1,
                 "description": "the expression that must be true, such as torus.rounds == D"},
        "when": {"type": "string", "title": "a non-empty expression", "minLength": 1,
                 "description": "the points at which the claim is judged, such as m < m_cut; everywhere by default"},
        "across": {"type": "string", "title": "a swept JSON pointer",
                   "description": "the swept pointer whose values are the names of variables; /algorithm by default"},
        "robust": {"type": "string", "title": "a percentage such as \"10%\"",
                   "description": "the verdict must stay the same if each time and bandwidth of the machine is changed by this percentage, up and down, and if all of them are changed at random"},
        "over": {"type": "string", "title": "a swept JSON pointer",
                 "description": "the swept pointer that is the x axis of slope, exponent, fit and crossing"},
        "correction": {"type": "string", "title": "a non-empty sentence", "minLength": 1,
                       "description": "for tables of claims: the statement of the source, if the claim corrects it; or the correct statement, if the claim does not hold"},
        "verdict": {"type": "string", "enum": [],
                    "description": "holds (by default), or a word for a statement of the source that does not hold: refuted (it is wrong), explained (correction says why it is different here), or unexplained"}
      }
    }
  }
},
"allOf": []
})json";

/// {"if": {"properties": {"kind": {"const": WORD}}, "required": ["kind"]}}
Json if_kind(std::string const& word) {
  Json condition;
  condition["properties"]["kind"]["const"] = word;
  condition["required"] = Json::array({"kind"});
  return condition;
}

/// A file without a promise may itself state how large its messages are.
constexpr char const* custom_block = R"json({
  "allOf": [{"if": {"properties": {"collective": {"required": ["ranks"]}}, "required": ["collective"]}, "then": {},
             "else": {"required": ["block"]}}]
})json";

/// Adds a kind of collective: its object, and the algorithms that the scenario may name with it.
void add(Json& schema, CollectiveKind const& kind) {
  std::string const word = enum_name(kind.kind);
  schema["properties"]["collective"]["kinds"].push_back(kind.object);
  Json condition;
  condition["properties"]["collective"] = if_kind(word);
  condition["properties"]["collective"]["type"] = "object";
  condition["required"] = Json::array({"collective"});
  Json algorithms;
  // The names of schedules in a custom collective are free.
  bool const value_names = kind.kind == problem::Kind::custom;
  if (!value_names) algorithms["properties"]["algorithm"]["enum"] = problem::algorithms(kind.kind);
  if (value_names) algorithms = json_of(custom_block);
  bool const needs_none = kind.kind == problem::Kind::program || kind.kind == problem::Kind::workload;
  if (!value_names && !needs_none) algorithms["required"] = Json::array({"algorithm", "block"});
  schema["allOf"].push_back({{"if", std::move(condition)}, {"then", std::move(algorithms)}});
}

/// The kind of process graphs with this name.
Json graph_kind(std::string const& name) {
  Json const graphs = json_of(graph_schema);
  for (Json const& kind : graphs["kinds"]) {
    if (kind["kind"] == name) return kind;
  }
  throw ContractViolation("a kind of process graph");
}

/// The branch of `allOf` for a kind.
Json branch_of(Json const& kind) {
  Json then, required = Json::array({"kind"}), properties = {{"kind", Json::object()}};
  for (Json const& key : kind.value("required", Json::array())) required.push_back(key);
  properties.update(kind.value("properties", Json::object()));
  then["description"] = kind["description"];
  then["required"] = std::move(required);
  then["additionalProperties"] = false;
  then["properties"] = std::move(properties);
  return {{"if", if_kind(kind["kind"].get<std::string>())}, {"then", std::move(then)}};
}

/// Replaces `kinds` by `allOf` and the key `kind`.
void fill_kinds(Json& schema) {
  if (schema.is_object() && schema.contains("kinds")) {
    Json const kinds = schema["kinds"];
    schema.erase("kinds");
    Json branches = Json::array(), names = Json::array();
    for (Json const& kind : kinds) {
      branches.push_back(branch_of(kind.is_string() ? graph_kind(kind.get<std::string>()) : kind));
      names.push_back(branches.back()["if"]["properties"]["kind"]["const"]);
    }
    schema["required"] = Json::array({"kind"});
    schema["properties"]["kind"] = {{"type", "string"}, {"enum", std::move(names)}};
    schema["allOf"] = std::move(branches);
  }
  if (!schema.is_structured()) return;
  for (Json& part : schema) fill_kinds(part);
}

/// Inserts the schema of a distribution where steps of workloads may have one.
void fill_noise_of_steps(Json& collective) {
  for (Json& kind : collective["kinds"]) {
    if (kind["kind"] != enum_name(problem::Kind::workload)) continue;
    Json& noise = kind["properties"]["steps"]["items"]["properties"]["noise"];
    noise = with_description(noise_law_form().schema, noise["description"].get<std::string>());
  }
}

/// The schema of an expanded point, with machine, arrival and all kinds inserted.
Json whole_schema() {
  Json schema = json_of(text);
  Json& properties = schema["properties"];
  properties["engine"]["enum"] = all_enum_names<Engine>();
  properties["payload"]["enum"] = all_enum_names<Payload>();
  properties["posting"]["enum"] = all_enum_names<Posting>();
  properties["expect"]["items"]["properties"]["verdict"]["enum"] = all_enum_names<ClaimVerdict>();
  properties["machine"] = machine_schema();
  properties["arrival"] = arrival_form().schema;
  for (auto const& family : all_families) {
    for (CollectiveKind const& kind : family()) add(schema, kind);
  }
  fill_noise_of_steps(schema["properties"]["collective"]);
  fill_kinds(schema);
  return schema;
}

/// The condition that an object has the key, or sweeps it.
Json or_swept(std::string const& key) {
  Json sweeps;
  sweeps["required"] = Json::array({"/" + key});
  Json one_sweep = sweeps;
  one_sweep["type"] = "object";
  Json among;
  among["type"] = "array";
  among["contains"] = sweeps;
  Json swept;
  swept["required"] = Json::array({"sweep"});
  swept["properties"]["sweep"]["anyOf"] = Json::array({one_sweep, among});
  Json given;
  given["required"] = Json::array({key});
  Json either;
  either["anyOf"] = Json::array({given, swept});
  return either;
}

/// Turns the keys that an object must have into keys that it must have or sweep.
void let_be_swept(Json& object) {
  Json const required = object.value("required", Json::array());
  object.erase("required");
  for (Json const& key : required) object["allOf"].push_back(or_swept(key.get<std::string>()));
}

}  // namespace

Json const& schema() {
  static Json const whole = whole_schema();
  return whole;
}

/// The schema of files. A swept key may be absent from a file, so nothing in it requires one.
Json schema_of_files() {
  Json files = schema();
  for (Json& branch : files["allOf"]) let_be_swept(branch["then"]);
  let_be_swept(files);
  return files;
}

}  // namespace rondo::scenario
