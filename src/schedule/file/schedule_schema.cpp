// The JSON schema of schedules, as `rondo schema schedule` prints it.

#include "json/text.hpp"
#include "schedule/file/schedule_json.hpp"

namespace rondo {
namespace {

constexpr char const* text = R"json({
"$schema": "http://json-schema.org/draft-07/schema#",
"title": "an object that describes a schedule",
"type": "object",
"required": ["format", "programs"],
"anyOf": [{"required": ["ranks"]}, {"required": ["torus"]}],
"additionalProperties": false,
"properties": {
  "$schema": {"type": "string", "description": "where this schema is to be found, for editors"},
  "format": {"const": "rondo-schedule", "description": "what this is"},
  "format_version": {"const": 1, "description": "the version of this format; 1 by default"},
  "collective": {"type": "string", "description": "what is communicated, for people"},
  "algorithm": {"type": "string", "description": "how it is communicated, for people"},
  "ranks": {"type": "integer", "minimum": 1, "maximum": 16777216, "description": "p; the ranks of the torus by default"},
  "block_bytes": {"type": "integer", "minimum": 0, "maximum": 1099511627776, "description": "m, the bytes of a block; 1 by default"},
  "torus": {"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 16777216},
            "description": "the extents of the torus on which offsets and links are meant"},
  "promises": {
    "type": "object", "additionalProperties": false,
    "description": "what the schedule promises of itself",
    "properties": {
      "ports": {"type": "integer", "minimum": 0, "maximum": 16777216,
                "description": "most sends and most receives a rank posts in a round; 0, by default: any number"},
      "links": {"enum": ["unit", "axis", "any"],
                "description": "whom ranks send to: neighbors on the torus, ranks along one dimension, or any; any by default"}}},
  "promise": {"type": ["object", "string"], "description": "what the schedule delivers: a promise, or the name of a file with one"},
  "programs": {
    "type": "array", "description": "what ranks do; each rank follows one program",
    "items": {
      "type": "object", "additionalProperties": false,
      "properties": {
        "ranks": {"anyOf": [{"const": "all"}, {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 16777215}}],
                  "description": "who follows the program"},
        "buffers": {
          "type": "object", "additionalProperties": false,
          "properties": {"send": {"$ref": "#/definitions/buffer"}, "receive": {"$ref": "#/definitions/buffer"},
                         "intermediate": {"$ref": "#/definitions/buffer"}}},
        "copies": {"$ref": "#/definitions/copies"},
        "rounds": {
          "type": "array", "description": "rounds 1, 2, ...",
          "items": {
            "type": "object", "additionalProperties": false,
            "properties": {
              "sends": {"type": "array", "items": {"$ref": "#/definitions/send"}},
              "receives": {"type": "array", "items": {"$ref": "#/definitions/receive"}},
              "copies": {"$ref": "#/definitions/copies"}}}}}}}
},
"definitions": {
  "buffer": {
    "type": "object", "required": ["slots"], "additionalProperties": false,
    "properties": {
      "slots": {"type": "integer", "minimum": 0, "maximum": 1073741824},
      "bytes": {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 1099511627776},
                "description": "the size of each slot; block_bytes by default"}}},
  "place": {
    "type": "array", "minItems": 2, "maxItems": 2,
    "items": [{"enum": ["send", "receive", "intermediate"]}, {"type": "integer", "minimum": 0, "maximum": 1073741823}]},
  "places": {"type": "array", "maxItems": 1048576, "items": {"$ref": "#/definitions/place"}},
  "join": {"enum": ["before", "after"], "description": "arriving (op) present, or present (op) arriving"},
  "copies": {
    "type": "array",
    "items": {"type": "array", "minItems": 2, "maxItems": 3,
              "items": [{"$ref": "#/definitions/place"}, {"$ref": "#/definitions/place"}, {"$ref": "#/definitions/join"}]}},
  "rank": {"type": "integer", "minimum": 0, "maximum": 16777215, "description": "the partner"},
  "offset": {"type": "array", "minItems": 1, "items": {"type": "integer", "minimum": -16777216, "maximum": 16777216},
             "description": "the partner, relative to the rank itself on the torus"},
  "bytes": {"type": "integer", "minimum": 0, "description": "those of the places"},
  "label": {"type": "string", "description": "the name of what the message belongs to, for people"},
  "send": {
    "type": "object", "required": ["places"], "additionalProperties": false,
    "oneOf": [{"required": ["rank"]}, {"required": ["offset"]}],
    "properties": {"rank": {"$ref": "#/definitions/rank"}, "offset": {"$ref": "#/definitions/offset"},
                   "bytes": {"$ref": "#/definitions/bytes"}, "places": {"$ref": "#/definitions/places"},
                   "label": {"$ref": "#/definitions/label"}}},
  "receive": {
    "type": "object", "required": ["places"], "additionalProperties": false,
    "oneOf": [{"required": ["rank"]}, {"required": ["offset"]}],
    "properties": {"rank": {"$ref": "#/definitions/rank"}, "offset": {"$ref": "#/definitions/offset"},
                   "bytes": {"$ref": "#/definitions/bytes"}, "places": {"$ref": "#/definitions/places"},
                   "join": {"$ref": "#/definitions/join"}, "label": {"$ref": "#/definitions/label"}}}
}
})json";

}  // namespace

json::Json const& schedule_schema() {
  static json::Json const parsed = json::json_of(text);
  return parsed;
}

}  // namespace rondo
