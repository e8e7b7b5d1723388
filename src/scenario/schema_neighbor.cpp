#include "scenario/schema_parts.hpp"

namespace rondo::scenario {

char const* const graph_schema = R"json({
"type": "object",
"description": "who sends to whom",
"required": ["kind"],
"properties": {
  "kind": {"type": "string", "enum": "kinds"}
},
"allOf": [
  {"if": {"properties": {"kind": {"const": "erdos_renyi"}}, "required": ["kind"]},
   "then": {
     "description": "each ordered pair of ranks is an edge with the same probability; random by /seed",
     "required": ["kind", "ranks", "density"], "additionalProperties": false,
     "properties": {
       "kind": {},
       "ranks": {"type": "integer", "minimum": 1, "maximum": 16777216,
                 "description": "the number of ranks; a random number is drawn for each pair"},
       "density": {"type": "number", "minimum": 0, "maximum": 1, "description": "the probability of an edge"}}}},
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
  {"if": {"properties": {"kind": {"const": "edges"}}, "required": ["kind"]},
   "then": {
     "description": "the edges themselves, in a list or in a file: lines of source and target, or Matrix Market",
     "required": ["kind"], "additionalProperties": false,
     "properties": {
       "kind": {},
       "ranks": {"type": "integer", "minimum": 1, "maximum": 16777216,
                 "description": "the number of ranks; without it, what the file says"},
       "edges": {"type": "array", "title": "a list of edges",
                 "items": {"type": "array", "title": "an edge: two ranks, and a weight or nothing",
                           "minItems": 2, "maxItems": 3, "items": {"type": "number"}},
                 "description": "source, target and, for block_sizes, a weight w (1 where it is left out)"},
       "path": {"type": "string", "minLength": 1, "title": "the name of a file",
                "description": "a file with the edges, relative to the scenario's folder"},
       "checksum": {"type": "string", "minLength": 1, "title": "a checksum such as \"fnv1a:0123456789abcdef\"",
                    "description": "of that file, which must have it; records state it"}}}}
]
})json";

namespace {

constexpr char const* theta = R"json({
"type": "integer", "minimum": 2, "maximum": 16777216,
"description": "how many neighbors two ranks must have in common to be friends; 4 by default"
})json";

constexpr char const* tie = R"json({
"type": "string", "enum": "tie",
"description": "which of several friends with as many common neighbors a rank chooses; highest by default"
})json";

constexpr char const* suitors = R"json({
"type": "string", "enum": "suitors",
"description": "which of the friends that chose it a rank may accept: literal (by default): those that it has not given up itself; active: all that are neither paired nor terminal, as the author's code does"
})json";

constexpr char const* half = R"json({
"type": "string", "enum": "half",
"description": "whether the lower rank of a pair takes floor or ceil of half the common neighbors; floor by default"
})json";

constexpr char const* cumulative = R"json({
"type": "boolean", "description": "combine onloaded neighbors again in later iterations; false by default"
})json";

constexpr char const* persistent = R"json({
"type": "boolean",
"description": "build the schedule once, in the first call; false adds build_time to each call's time, ahead of its first message; true by default"
})json";

constexpr char const* build_cost = R"json({
"type": "string", "title": "a string with a unit such as \"6ns\"",
"description": "building the schedule of combined messages takes build_time: this, up to 1s, times the square of the number of messages that the busiest rank sends and receives; naive ones take none; \"6ns\" by default"
})json";

constexpr char const* setup = R"json({
"type": "boolean",
"description": "simulate how the ranks find the pattern by messages too: on the SMPI engine, up to 1024 ranks and 4000000 messages; true by default"
})json";

constexpr char const* rank_sizes = R"json({
"type": ["array", "string"],
"title": "a list of sizes, one for each rank, or an expression",
"minItems": 1,
"minLength": 1,
"items": {"type": "string", "title": "a string with a unit such as \"64KiB\"", "description": "the size of a block"},
"description": "the size of each rank's block where they differ (allgatherv): a list, or bytes as an expression in the rank r, its numbers of targets and sources, p and m, such as m*(1+r)"
})json";

constexpr char const* edge_sizes = R"json({
"type": ["array", "string"],
"title": "a list of sizes, one for each edge, or an expression",
"minItems": 1,
"minLength": 1,
"items": {"type": "string", "title": "a string with a unit such as \"64KiB\"", "description": "the size of a block"},
"description": "the size of each edge's block where they differ (alltoallv): a list, rank by rank in the order of its targets, or bytes as an expression in the edge's source, target and weight w, p and m, such as m*w"
})json";

}  // namespace

std::vector<KindSchema> neighbor_schemas() {
  std::vector<std::pair<char const*, char const*>> const shared = {{"graph", graph_schema},
                                                                   {"theta", theta},
                                                                   {"tie", tie},
                                                                   {"suitors", suitors},
                                                                   {"half", half},
                                                                   {"cumulative", cumulative},
                                                                   {"persistent", persistent},
                                                                   {"build_cost", build_cost},
                                                                   {"setup", setup}};
  auto const with = [&](char const* sizes) {
    auto keys = shared;
    keys.emplace_back("block_sizes", sizes);
    return keys;
  };
  return {{problem::Kind::neighbor_allgather,
           R"json({
             "description": "every rank sends its one block along all its edges of a process graph",
             "required": ["kind", "graph"]
           })json",
           with(rank_sizes)},
          {problem::Kind::neighbor_alltoall,
           R"json({
             "description": "every rank sends a block of its own along each of its edges of a process graph",
             "required": ["kind", "graph"]
           })json",
           with(edge_sizes)}};
}

}  // namespace rondo::scenario
