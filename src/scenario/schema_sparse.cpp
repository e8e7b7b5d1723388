#include "scenario/schema_parts.hpp"

namespace rondo::scenario {
namespace {

constexpr char const* pattern = R"json({
"type": "object",
"description": "whom each rank sends one message to, which only that rank knows",
"required": ["kind"],
"properties": {
  "kind": {"type": "string", "enum": "kinds"}
},
"allOf": [
  {"if": {"properties": {"kind": {"const": "random"}}, "required": ["kind"]},
   "then": {
     "description": "as many different targets for each rank; random by /seed",
     "required": ["kind", "ranks", "targets"], "additionalProperties": false,
     "properties": {
       "kind": {},
       "ranks": {"type": "integer", "minimum": 1, "maximum": 16777216, "description": "the number of ranks"},
       "targets": {"type": "integer", "minimum": 0, "maximum": 16777215, "description": "of each rank"}}}},
  {"if": {"properties": {"kind": {"const": "moore"}}, "required": ["kind"]},
   "then": {
     "description": "every rank of a torus sends to all others within a Chebyshev distance, to each once",
     "required": ["kind", "torus", "radius"], "additionalProperties": false,
     "properties": {
       "kind": {},
       "torus": {"type": "array", "title": "a list of 1 to 64 extents", "minItems": 1, "maxItems": 64,
                 "items": {"type": "integer", "minimum": 1, "maximum": 16777216},
                 "description": "the extents of the torus of ranks, p in all"},
       "radius": {"type": "integer", "minimum": 0, "maximum": 1048576,
                  "description": "the largest Chebyshev distance"}}}},
  {"if": {"properties": {"kind": {"const": "geometric"}}, "required": ["kind"]},
   "then": {
     "description": "like the parts of a mesh: points in a cube are neighbors where they lie close; random by /seed",
     "required": ["kind", "ranks", "degree"], "additionalProperties": false,
     "properties": {
       "kind": {},
       "ranks": {"type": "integer", "minimum": 1, "maximum": 16777216, "description": "the number of ranks"},
       "degree": {"type": "number", "minimum": 0, "maximum": 16777216,
                  "description": "the mean number of neighbors away from the faces of the cube"}}}},
  {"if": {"properties": {"kind": {"const": "hypercube"}}, "required": ["kind"]},
   "then": {
     "description": "rank r sends to r xor 2^i for every i, as far as there are such ranks",
     "required": ["kind", "ranks"], "additionalProperties": false,
     "properties": {
       "kind": {},
       "ranks": {"type": "integer", "minimum": 1, "maximum": 16777216, "description": "the number of ranks"}}}},
  {"if": {"properties": {"kind": {"const": "powerlaw"}}, "required": ["kind"]},
   "then": {
     "description": "t targets of a rank with a probability proportional to t^-exponent; random by /seed",
     "required": ["kind", "ranks"], "additionalProperties": false,
     "properties": {
       "kind": {},
       "ranks": {"type": "integer", "minimum": 1, "maximum": 16777216, "description": "the number of ranks"},
       "exponent": {"type": "number", "minimum": 0, "maximum": 100, "description": "2 by default"},
       "most": {"type": "integer", "minimum": 1, "maximum": 1048576,
                "description": "targets of a rank; all others, at most 1048576, by default"}}}},
  {"if": {"properties": {"kind": {"const": "edges"}}, "required": ["kind"]},
   "then": {
     "description": "the edges themselves, in a list or in a file; one that is there twice is one message; weights are not used",
     "required": ["kind"], "additionalProperties": false,
     "properties": {
       "kind": {},
       "ranks": {"type": "integer", "minimum": 1, "maximum": 16777216,
                 "description": "the number of ranks; without it, what the file says"},
       "edges": {"type": "array", "title": "a list of edges",
                 "items": {"type": "array", "title": "an edge: a list of two ranks", "minItems": 2, "maxItems": 2,
                           "items": {"type": "integer", "minimum": 0, "maximum": 16777215}},
                 "description": "pairs of source and target"},
       "path": {"type": "string", "minLength": 1, "title": "the name of a file",
                "description": "a file with the edges, relative to the scenario's folder"},
       "checksum": {"type": "string", "minLength": 1, "title": "a checksum such as \"fnv1a:0123456789abcdef\"",
                    "description": "of that file, which must have it; records state it"}}}}
]
})json";

constexpr char const* barrier = R"json({
"type": "string", "enum": "barrier",
"description": "of nbx and nbx_tagged; dissemination by default"
})json";

constexpr char const* completion = R"json({
"type": "string", "enum": "completion",
"description": "wait: for any event, by default; poll: probes and tests in turns, each of /machine/poll"
})json";

constexpr char const* exchange_branch = R"json({
  "description": "every rank sends a message to each of its targets, and nobody knows from whom it will receive",
  "required": ["kind", "pattern"],
  "properties": {
    "largest_block": {"type": "string", "title": "a string with a unit such as \"64KiB\"",
                      "description": "sizes are drawn uniformly from /block to this, by /seed; all are /block by default"},
    "exchanges": {"type": "integer", "minimum": 1, "maximum": 1000000,
                  "description": "one behind the other; times, messages and volumes are those of all; 1 by default"}
  }
})json";

constexpr char const* independent_set_branch = R"json({
  "description": "Luby's maximal independent set of the ranks, where each edge counts both ways, by sparse exchanges; checked at every rank; /block travels beside each message",
  "required": ["kind", "graph"]
})json";

constexpr char const* coloring_branch = R"json({
  "description": "a color for each rank that none of its neighbors has, by a maximal independent set for each color; checked at every rank; /block travels beside each message",
  "required": ["kind", "graph"]
})json";

constexpr char const* bisection_branch = R"json({
  "description": "recursive inertial bisection of a point cloud into a part for each rank, by sparse exchanges; checked at every rank; /block travels with each point",
  "required": ["kind", "ranks", "points"],
  "properties": {
    "ranks": {"type": "integer", "minimum": 1, "maximum": 16777216, "description": "the number of ranks"},
    "points": {"type": "integer", "minimum": 0, "maximum": 100000000, "description": "of the whole cloud; random by /seed"},
    "cloud": {"type": "string", "enum": "cloud",
              "description": "where points lie: all over a box, in eight small ones in it, or all at one place; uniform by default"},
    "box": {"type": "array", "title": "a list of three lengths", "minItems": 3, "maxItems": 3,
            "items": {"type": "number", "title": "a length greater than 0", "exclusiveMinimum": 0},
            "description": "the lengths of the box; [1, 1, 1] by default"},
    "imbalance": {"type": "number", "minimum": 0, "maximum": 1,
                  "description": "the numbers of points that ranks hold first differ from their mean by up to this part of it; 0 by default"}
  }
})json";

}  // namespace

std::vector<KindSchema> sparse_schemas() {
  std::vector<std::pair<char const*, char const*>> const ways = {{"barrier", barrier}, {"completion", completion}};
  auto const with = [&](char const* key, char const* schema) {
    auto keys = ways;
    keys.insert(keys.begin(), {key, schema});
    return keys;
  };
  return {{problem::Kind::sparse_exchange, exchange_branch, with("pattern", pattern)},
          {problem::Kind::independent_set, independent_set_branch, with("graph", graph_schema)},
          {problem::Kind::coloring, coloring_branch, with("graph", graph_schema)},
          {problem::Kind::bisection, bisection_branch, ways}};
}

}  // namespace rondo::scenario
