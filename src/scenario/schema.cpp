// The schema of scenarios. It is the one list of keys: `rondo schema` prints it, `rondo list` is read off it, and every
// message derives from it, with these habits:
// - `title` is the noun phrase of "expected ..."; without one the phrase is made from type, enum and limits.
// - A tagged object states its kinds in `properties/kind/enum`, and has in `allOf` one `if` (a `const` of `kind`) with
//   one `then` for each of them; `then` lists all keys, so that it can refuse others. A new kind is a word in the enum
//   and a branch.
// - `if` uses only type, const, properties and required (sub_schema.cpp evaluates no more).

#include "scenario/scenario.hpp"

namespace rondo::scenario {
namespace {

constexpr char const* text = R"json({
"$schema": "http://json-schema.org/draft-07/schema#",
"title": "an object that describes a scenario",
"type": "object",
"required": ["machine", "collective", "algorithm", "block"],
"additionalProperties": false,
"properties": {
  "$schema": {"type": "string", "description": "where this schema is to be found, for editors"},
  "schema_version": {"type": "integer", "enum": [1], "description": "the version of this format; 1 by default"},
  "title": {"type": "string", "description": "what the scenario shows"},
  "source": {"type": "string", "description": "the paper, figure or table it comes from"},
  "machine": {
    "type": ["object", "string"],
    "title": "an object, or the name of a file that holds one",
    "description": "the machine; or the name of a file with such an object, relative to the scenario's folder",
    "required": ["topology", "latency", "bandwidth"],
    "additionalProperties": false,
    "properties": {
      "topology": {
        "type": "object",
        "description": "how hosts are connected",
        "required": ["kind"],
        "properties": {
          "kind": {"type": "string", "enum": ["fully_connected", "ring", "torus", "mesh", "dragonfly", "fat_tree", "file"]}
        },
        "allOf": [
          {"if": {"properties": {"kind": {"const": "fully_connected"}}, "required": ["kind"]},
           "then": {
             "description": "every pair of hosts is one hop apart",
             "required": ["kind", "hosts"], "additionalProperties": false,
             "properties": {
               "kind": {},
               "hosts": {"type": "integer", "minimum": 1, "maximum": 16777216, "description": "the number of hosts"}}}},
          {"if": {"properties": {"kind": {"const": "ring"}}, "required": ["kind"]},
           "then": {
             "description": "hosts in a circle; a message takes the shorter way",
             "required": ["kind", "hosts"], "additionalProperties": false,
             "properties": {
               "kind": {},
               "hosts": {"type": "integer", "minimum": 1, "maximum": 16777216, "description": "the number of hosts"}}}},
          {"if": {"properties": {"kind": {"const": "torus"}}, "required": ["kind"]},
           "then": {
             "description": "hosts numbered row-major over the torus; one dimension after the other, the shorter way",
             "required": ["kind", "dims"], "additionalProperties": false,
             "properties": {
               "kind": {},
               "dims": {"type": "array", "title": "a list of 1 to 64 extents", "minItems": 1, "maxItems": 64,
                        "items": {"type": "integer", "minimum": 1, "maximum": 16777216},
                        "description": "the extent of each dimension, at most 16777216 hosts in all"}}}},
          {"if": {"properties": {"kind": {"const": "mesh"}}, "required": ["kind"]},
           "then": {
             "description": "as a torus, but no link closes a dimension",
             "required": ["kind", "dims"], "additionalProperties": false,
             "properties": {
               "kind": {},
               "dims": {"type": "array", "title": "a list of 1 to 64 extents", "minItems": 1, "maxItems": 64,
                        "items": {"type": "integer", "minimum": 1, "maximum": 16777216},
                        "description": "the extent of each dimension, at most 16777216 hosts in all"}}}},
          {"if": {"properties": {"kind": {"const": "dragonfly"}}, "required": ["kind"]},
           "then": {
             "description": "routers joined all to all within a chassis, at like places of a group's chassis, and once for each pair of groups",
             "required": ["kind"], "additionalProperties": false,
             "properties": {
               "kind": {},
               "groups": {"type": "integer", "minimum": 1, "maximum": 16777216, "description": "3 by default"},
               "chassis": {"type": "integer", "minimum": 1, "maximum": 16777216,
                           "description": "of a group; 3 by default"},
               "routers": {"type": "integer", "minimum": 1, "maximum": 16777216,
                           "description": "of a chassis; 4 by default"},
               "hosts_per_router": {"type": "integer", "minimum": 1, "maximum": 16777216,
                                    "description": "2 by default"},
               "cables": {"type": "array", "title": "a list of three integers of at least 1",
                          "minItems": 3, "maxItems": 3, "items": {"type": "integer", "minimum": 1, "maximum": 1048576},
                          "description": "of a link between groups, between chassis, within a chassis; [1, 1, 1] by default"}}}},
          {"if": {"properties": {"kind": {"const": "fat_tree"}}, "required": ["kind"]},
           "then": {
             "description": "switches in levels over the hosts, with the parameters of SimGrid's FAT_TREE",
             "required": ["kind", "down", "up"], "additionalProperties": false,
             "properties": {
               "kind": {},
               "levels": {"type": "integer", "minimum": 1, "maximum": 24, "description": "the length of the lists"},
               "down": {"type": "array", "title": "a list of 1 to 24 integers", "minItems": 1, "maxItems": 24,
                        "items": {"type": "integer", "minimum": 1, "maximum": 16777216},
                        "description": "the links down of a switch of each level, the hosts' switches first"},
               "up": {"type": "array", "title": "a list of 1 to 24 integers", "minItems": 1, "maxItems": 24,
                      "items": {"type": "integer", "minimum": 1, "maximum": 16777216},
                      "description": "the links up into a switch's level, from below; the first is 1, a host's NIC"},
               "parallel": {"type": "array", "title": "a list of 1 to 24 integers", "minItems": 1, "maxItems": 24,
                            "items": {"type": "integer", "minimum": 1, "maximum": 1048576},
                            "description": "the cables of each of these links; 1 by default, the first is 1"}}}},
          {"if": {"properties": {"kind": {"const": "file"}}, "required": ["kind"]},
           "then": {
             "description": "a SimGrid platform file, its links shared as it says",
             "required": ["kind", "path"], "additionalProperties": false,
             "properties": {
               "kind": {},
               "path": {"type": "string", "minLength": 1, "title": "the name of a file",
                        "description": "the SimGrid platform file, relative to the folder of the file that says so"}}}}
        ]
      },
      "source": {"type": ["string", "array"], "title": "a string or a list of strings", "items": {"type": "string"},
                 "description": "where its numbers come from"},
      "latency": {"type": "string", "title": "a string with a unit such as \"1us\"",
                  "description": "alpha: what any message costs before its bytes"},
      "hop_latency": {"type": "string", "title": "a string with a unit such as \"100ns\"",
                      "description": "added for each link after the first; \"0s\" by default"},
      "bandwidth": {"type": "string", "title": "a string with a unit such as \"1GBps\"",
                    "description": "1/beta: bytes per second of each port"},
      "ports": {"type": "integer", "minimum": 1, "maximum": 1048576,
                "description": "concurrent sends and concurrent receives of a rank; 1 by default"},
      "ranks_per_host": {"type": "integer", "minimum": 1, "maximum": 1048576,
                         "description": "they share the host's NIC, of ports * bandwidth; 1 by default"},
      "placement": {"type": ["string", "array"], "title": "\"block\", \"cyclic\" or a list of hosts",
                    "allOf": [{"if": {"type": "string"}, "then": {"enum": ["block", "cyclic"]}}],
                    "items": {"type": "integer", "minimum": 0, "maximum": 16777215},
                    "description": "the host of each rank: rank / ranks_per_host (block, by default), rank mod hosts, or as listed"},
      "intra_latency": {"type": "string", "title": "a string with a unit such as \"200ns\"",
                        "description": "alpha between ranks of one host; latency by default"},
      "intra_bandwidth": {"type": "string", "title": "a string with a unit such as \"4GBps\"",
                          "description": "1/beta between ranks of one host, who do not use its NIC; bandwidth by default"},
      "links": {"type": "string", "enum": ["unshared", "shared"],
                "description": "whether messages share the bandwidth of the links that they meet on; unshared by default"},
      "link_bandwidth": {"type": "string", "title": "a string with a unit such as \"4GBps\"",
                         "description": "of each cable of a shared link; bandwidth by default"},
      "neighbors_only": {"type": "boolean",
                         "description": "on a ring, torus or mesh: refuse schedules that talk past a neighbor; false by default"},
      "envelope": {"type": "string", "title": "a string with a unit such as \"16B\"",
                   "description": "added to the size of every message; \"0B\" by default"},
      "timing": {"type": "string", "enum": ["linear"],
                 "description": "the cost model of a message; linear (alpha + beta * n) by default"}
    }
  },
  "collective": {
    "type": "object",
    "description": "what is communicated",
    "required": ["kind"],
    "properties": {
      "kind": {"type": "string", "enum": ["isomorphic_alltoall"]}
    },
    "allOf": [
      {"if": {"properties": {"kind": {"const": "isomorphic_alltoall"}}, "required": ["kind"]},
       "then": {
         "description": "every rank of a torus sends a block of its own to each of its neighbors",
         "required": ["kind", "torus", "neighborhood"], "additionalProperties": false,
         "properties": {
           "kind": {},
           "torus": {"type": "array", "title": "a list of 1 to 64 extents", "minItems": 1, "maxItems": 64,
                     "items": {"type": "integer", "minimum": 1, "maximum": 16777216},
                     "description": "the extents of the torus of ranks, p in all"},
           "neighborhood": {
             "type": "object",
             "description": "the offsets that every rank sends to; its dimensions are those of the torus",
             "required": ["kind"],
             "properties": {
               "kind": {"type": "string", "enum": ["moore", "von_neumann", "octant", "shales", "offsets"]}
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
                               "description": "the largest coordinate"}}}},
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
           },
           "dimension_order": {
             "type": ["string", "array"],
             "title": "\"given\" or a list of dimensions",
             "allOf": [{"if": {"type": "string"}, "then": {"enum": ["given"]}}],
             "items": {"type": "integer", "minimum": 0, "maximum": 63},
             "description": "the order in which torus corrects dimensions: \"given\" (0, 1, ...; by default) or a permutation"}
         }}}
    ]
  },
  "algorithm": {"type": "string", "description": "how it is communicated"},
  "block": {"type": "string", "title": "a string with a unit such as \"64KiB\"",
            "description": "m: the bytes of one block"},
  "engine": {"type": "string", "enum": ["smpi", "native"],
             "description": "what simulates: smpi (an MPI program on SimGrid; by default) or native (Rondo's own engine)"},
  "payload": {"type": "string", "enum": ["automatic", "verified", "timing"],
              "description": "verified: every byte moved and checked (engine smpi); timing: none moved; automatic: verified where cheap"},
  "seed": {"type": "integer", "minimum": 0, "maximum": 9223372036854775807,
           "description": "of everything random; 1 by default"},
  "sweep": {
    "type": ["object", "array"],
    "title": "an object of JSON pointers with lists of values, or a list of such objects",
    "description": "pointers to lists of values: their product is run; in a list of such objects each is zipped",
    "additionalProperties": {"type": "array", "title": "a list of one or more values", "minItems": 1},
    "items": {"type": "object", "title": "an object of JSON pointers with lists of values", "minProperties": 1,
              "additionalProperties": {"type": "array", "title": "a list of one or more values", "minItems": 1}}
  },
  "expect": {
    "type": "array",
    "title": "a list of claims",
    "description": "what `rondo check` judges at each point of the sweep",
    "items": {
      "type": "object",
      "required": ["claim", "that"],
      "additionalProperties": false,
      "properties": {
        "claim": {"type": "string", "title": "a non-empty string", "minLength": 1, "description": "its name"},
        "that": {"type": "string", "title": "a non-empty expression", "minLength": 1,
                 "description": "what holds, such as torus.rounds == D"},
        "when": {"type": "string", "title": "a non-empty expression", "minLength": 1,
                 "description": "where it holds, such as m < m_cut; everywhere by default"},
        "across": {"type": "string", "title": "a swept JSON pointer",
                   "description": "the swept pointer whose values name the variables; /algorithm by default"},
        "over": {"type": "string", "title": "a swept JSON pointer",
                 "description": "the swept pointer that slope, exponent and crossing look along"}
      }
    }
  }
},
"allOf": [
  {"if": {"properties": {"collective": {"properties": {"kind": {"const": "isomorphic_alltoall"}}, "required": ["kind"]}},
          "required": ["collective"]},
   "then": {"properties": {"algorithm": {"enum": ["straightforward", "torus"]}}}}
]
})json";

}  // namespace

Json const& schema() {
  static Json const parsed = Json::parse(text);
  return parsed;
}

}  // namespace rondo::scenario
