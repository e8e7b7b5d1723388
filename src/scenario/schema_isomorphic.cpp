#include "scenario/schema_parts.hpp"

namespace rondo::scenario {
namespace {

constexpr char const* torus = R"json({
"type": "array", "title": "a list of 1 to 64 extents", "minItems": 1, "maxItems": 64,
"items": {"type": "integer", "minimum": 1, "maximum": 16777216},
"description": "the extents of the torus of ranks, p in all"
})json";

constexpr char const* neighborhood = R"json({
  "type": "object",
  "description": "the offsets that every rank sends to; its dimensions are those of the torus",
  "required": ["kind"],
  "properties": {
    "kind": {"type": "string", "enum": "kinds"}
  },
  "allOf": [
    {"if": {"properties": {"kind": {"const": "moore"}}, "required": ["kind"]},
     "then": {
       "description": "every offset but 0 with no coordinate past the radius",
       "required": ["kind", "radius"], "additionalProperties": false,
       "properties": {
         "kind": {},
         "radius": {"type": "integer", "minimum": 0, "maximum": 1048576,
                    "description": "the largest Chebyshev norm"}}}},
    {"if": {"properties": {"kind": {"const": "von_neumann"}}, "required": ["kind"]},
     "then": {
       "description": "every offset but 0 of L1 norm up to the radius",
       "required": ["kind", "radius"], "additionalProperties": false,
       "properties": {
         "kind": {},
         "radius": {"type": "integer", "minimum": 0, "maximum": 1048576,
                    "description": "the largest L1 norm"}}}},
    {"if": {"properties": {"kind": {"const": "octant"}}, "required": ["kind"]},
     "then": {
       "description": "every offset but 0 with all coordinates from 0 to the radius",
       "required": ["kind", "radius"], "additionalProperties": false,
       "properties": {
         "kind": {},
         "radius": {"type": "integer", "minimum": 0, "maximum": 1048576,
                    "description": "the largest coordinate"},
         "printed": {"type": "boolean",
                     "description": "with three dimensions and radius 1: the list of the paper's Section 2, with 0 for the 21st integer that it lacks; false by default"}}}},
    {"if": {"properties": {"kind": {"const": "shales"}}, "required": ["kind"]},
     "then": {
       "description": "every offset whose Chebyshev norm is one of the radii",
       "required": ["kind", "radii"], "additionalProperties": false,
       "properties": {
         "kind": {},
         "radii": {"type": "array", "title": "a list of radii",
                   "items": {"type": "integer", "minimum": 0, "maximum": 1048576},
                   "description": "the Chebyshev norms"}}}},
    {"if": {"properties": {"kind": {"const": "offsets"}}, "required": ["kind"]},
     "then": {
       "description": "the offsets in this order; duplicates and the zero vector are allowed",
       "required": ["kind", "offsets"], "additionalProperties": false,
       "properties": {
         "kind": {},
         "offsets": {"type": "array", "title": "a list of offsets",
                     "items": {"type": "array", "title": "an offset: a list of integers",
                               "items": {"type": "integer", "minimum": -1048576, "maximum": 1048576}},
                     "description": "a list of offsets, each with a coordinate for each dimension"}}}}
  ]
})json";

constexpr char const* dimension_order = R"json({
"type": ["string", "array"],
"title": "\"given\", \"best\", \"paper\" or a list of dimensions",
"allOf": [{"if": {"type": "string"}, "then": {"enum": "dimension_order"}}],
"items": {"type": "integer", "minimum": 0, "maximum": 63},
"description": "the order in which torus, direct and parity correct dimensions: \"given\" (0, 1, ...; by default), \"best\" (fewest blocks in allgather), \"paper\" (its heuristic) or a permutation"
})json";

constexpr char const* shortest_wrap = R"json({
"type": "boolean",
"description": "take each offset modulo the extents so that fewest rounds are needed; false by default"
})json";

constexpr char const* basis = R"json({
"type": "array", "title": "a list of 1 to 16 vectors", "minItems": 1, "maxItems": 16,
"items": {"type": "array", "title": "a vector: a list of integers",
          "items": {"type": "integer", "minimum": -1048576, "maximum": 1048576}},
"description": "the additive basis that basis uses: distinct vectors of it sum up to each offset; by default a small one is looked for"
})json";

constexpr char const* printed = R"json({
"type": "boolean",
"description": "torus as printed in the paper (Algorithm 1), to show where it fails; false by default"
})json";

constexpr char const* periodic = R"json({
"type": "array", "title": "a list of true and false", "minItems": 1, "maxItems": 64, "items": {"type": "boolean"},
"description": "by dimension whether it closes; past the end of one that does not there are no neighbors; by default all close, on a mesh none does"
})json";

constexpr char const* block_sizes = R"json({
"type": ["array", "string"],
"title": "a list of sizes, one for each neighbor, or a non-empty expression",
"minLength": 1,
"items": {"type": "string", "title": "a string with a unit such as \"64KiB\"", "description": "the size of a block"},
"description": "the size of each neighbor's block where they differ: a list, or bytes as an expression in the offset's c0, c1, ..., l1 and linf, in d and m, such as m^(d-l1)"
})json";

}  // namespace

std::vector<KindSchema> isomorphic_schemas() {
  return {
      {problem::Kind::isomorphic_alltoall,
       R"json({
         "description": "every rank of a torus sends a block of its own to each of its neighbors",
         "required": ["kind", "torus", "neighborhood"]
       })json",
       {{"torus", torus},
        {"neighborhood", neighborhood},
        {"dimension_order", dimension_order},
        {"shortest_wrap", shortest_wrap},
        {"basis", basis},
        {"periodic", periodic},
        {"printed", printed},
        {"block_sizes", block_sizes}}},
      {problem::Kind::isomorphic_allgather,
       R"json({
         "description": "every rank of a torus sends its one block to all of its neighbors",
         "required": ["kind", "torus", "neighborhood"]
       })json",
       {{"torus", torus},
        {"neighborhood", neighborhood},
        {"dimension_order", dimension_order},
        {"shortest_wrap", shortest_wrap},
        {"basis", basis},
        {"periodic", periodic}}},
  };
}

}  // namespace rondo::scenario
