// The schema of promises: the collectives of scenarios that schedules can solve, and promises that list their blocks.
// The schema is made from that of scenarios, so a new kind of collective is a new kind of promise without further work.

#include "json/text.hpp"
#include "scenario/promise.hpp"

namespace rondo::scenario {
namespace {

constexpr char const* stated_branch = R"json({
"description": "a list of the blocks that each rank has, and of those that it must have at the end",
"required": ["kind", "ranks", "held", "owed"],
"additionalProperties": false,
"properties": {
  "kind": {},
  "ranks": {"type": "integer", "minimum": 1, "maximum": 16777216, "description": "p: the number of ranks"},
  "held": {
    "type": "array", "title": "a list of one list for each rank", "minItems": 1,
    "description": "the content of the send slots of each rank: a block as [rank, number], or the number of one of its own blocks",
    "items": {"type": "array", "title": "a list of blocks",
              "items": {"type": ["integer", "array"], "title": "a block: [rank, number], or the number of an own one",
                        "minimum": 0, "maximum": 1073741823, "minItems": 2, "maxItems": 2,
                        "items": {"type": "integer", "minimum": 0, "maximum": 1073741823}}}
  },
  "owed": {
    "type": "array", "title": "a list of one list for each rank", "minItems": 1,
    "description": "the content of the receive slots of each rank at the end: a block, a reduction, or null",
    "items": {"type": "array", "title": "a list of blocks, reductions and null",
              "items": {"type": ["integer", "array", "object", "null"],
                        "title": "a block: [rank, number], or the number of an own one, a reduction: an object, or null",
                        "minimum": 0, "maximum": 1073741823, "minItems": 2, "maxItems": 2,
                        "items": {"type": "integer", "minimum": 0, "maximum": 1073741823},
                        "required": ["block", "from"], "additionalProperties": false,
                        "properties": {
                          "block": {"type": "integer", "minimum": 0, "maximum": 1073741823,
                                    "description": "the number of the blocks that are joined"},
                          "from": {"type": ["string", "array", "object"],
                                   "title": "\"all\", a list of ranks, or an object with \"first\" and \"last\"",
                                   "minItems": 1, "items": {"type": "integer", "minimum": 0, "maximum": 16777215},
                                   "required": ["first", "last"], "additionalProperties": false,
                                   "properties": {
                                     "first": {"type": "integer", "minimum": 0, "maximum": 16777215,
                                               "description": "the first rank"},
                                     "last": {"type": "integer", "minimum": 0, "maximum": 16777215,
                                              "description": "the last rank"}},
                                   "description": "the ranks whose contributions are joined, in this order if the order counts"}}}}
  },
  "ordered": {"type": "boolean", "description": "contributions are joined in the order of \"from\"; false by default"},
  "same_bits": {"type": "boolean",
                "description": "all ranks that are owed the same reduction get it with the same parenthesisation; false by default"},
  "idempotent": {"type": "boolean",
                 "description": "a contribution may enter several times; false by default, and always false with \"ordered\" or \"same_bits\""}
}
})json";

/// Keys that every promise can have.
constexpr char const* common_keys = R"json({
"pieces": {"type": ["integer", "array"], "title": "a number of pieces from 1, or a list of them", "minimum": 1, "maximum": 1048576,
           "minItems": 1, "items": {"type": "integer", "minimum": 1, "maximum": 1048576},
           "description": "the number of pieces into which the schedule cuts each block, which lie in consecutive slots: one number, or a number for each rank (in an inter-group allgather for each sender); 1 by default"},
"seed": {"type": "integer", "minimum": 0, "maximum": 9223372036854775807, "description": "the seed of a random graph; that of the scenario, or 1, by default"},
"format": {"type": "string", "enum": ["rondo-promise"], "description": "the name of this format, in a file of its own"},
"format_version": {"type": "integer", "enum": [1], "description": "the version of this format; 1 by default"},
"$schema": {"type": "string", "description": "the address of this schema, for editors"}
})json";

/// Turns each branch of the scenario's collectives into a branch of promises.
Json made_schema() {
  Json promise = schema()["properties"]["collective"];
  Json result = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                 {"title", "an object that describes a promise"},
                 {"type", "object"},
                 {"description", "the blocks that a schedule must deliver"},
                 {"required", {"kind"}}};
  Json kinds = Json::array();
  Json branches = Json::array();
  Json const common = json_of(common_keys);
  auto const add = [&](std::string const& kind, Json branch) {
    for (auto const& [key, property] : common.items()) branch["properties"][key] = property;
    Json condition;
    condition["properties"]["kind"]["const"] = kind;
    condition["required"] = Json::array({"kind"});
    branches.push_back({{"if", std::move(condition)}, {"then", std::move(branch)}});
    kinds.push_back(kind);
  };
  for (Json& branch : promise["allOf"]) {
    auto const kind = branch["if"]["properties"]["kind"]["const"].get<std::string>();
    if (is_promised(known_value<problem::Kind>(kind))) add(kind, std::move(branch["then"]));
  }
  add("stated", json_of(stated_branch));
  result["properties"]["kind"] = {{"type", "string"}, {"enum", std::move(kinds)}};
  result["allOf"] = std::move(branches);
  return result;
}

}  // namespace

Json const& promise_schema() {
  static Json const made = made_schema();
  return made;
}

}  // namespace rondo::scenario
