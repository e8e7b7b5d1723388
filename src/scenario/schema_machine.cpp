#include "scenario/kinds.hpp"

namespace rondo::scenario {

char const* const machine_schema = R"json({
  "type": ["object", "string"],
  "title": "an object, or the name of a file that holds one",
  "description": "the machine, or the name of a file with such an object, relative to the scenario's folder",
  "required": ["topology"],
  "additionalProperties": false,
  "properties": {
    "topology": {
      "type": "object",
      "title": "an object such as {\"kind\": \"torus\", \"dims\": [8, 8]}",
      "description": "how hosts are connected",
      "required": ["kind"],
      "properties": {
        "kind": {"type": "string", "enum": "kinds"}
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
           "description": "hosts in a circle; a message takes the shorter direction",
           "required": ["kind", "hosts"], "additionalProperties": false,
           "properties": {
             "kind": {},
             "hosts": {"type": "integer", "minimum": 1, "maximum": 16777216, "description": "the number of hosts"}}}},
        {"if": {"properties": {"kind": {"const": "torus"}}, "required": ["kind"]},
         "then": {
           "description": "hosts on a torus, numbered row by row; a message takes one dimension after the other, in the shorter direction",
           "required": ["kind", "dims"], "additionalProperties": false,
           "properties": {
             "kind": {},
             "dims": {"type": "array", "title": "a list of 1 to 64 extents such as [8, 8]", "minItems": 1, "maxItems": 64,
                      "items": {"type": "integer", "minimum": 1, "maximum": 16777216},
                      "description": "the extent of each dimension, at most 16777216 hosts in all"}}}},
        {"if": {"properties": {"kind": {"const": "mesh"}}, "required": ["kind"]},
         "then": {
           "description": "like a torus, without the links that close a dimension",
           "required": ["kind", "dims"], "additionalProperties": false,
           "properties": {
             "kind": {},
             "dims": {"type": "array", "title": "a list of 1 to 64 extents such as [8, 8]", "minItems": 1, "maxItems": 64,
                      "items": {"type": "integer", "minimum": 1, "maximum": 16777216},
                      "description": "the extent of each dimension, at most 16777216 hosts in all"}}}},
        {"if": {"properties": {"kind": {"const": "dragonfly"}}, "required": ["kind"]},
         "then": {
           "description": "groups of routers: links join all routers of a chassis, the routers at the same place of all chassis of a group, and each pair of groups once",
           "required": ["kind"], "additionalProperties": false,
           "properties": {
             "kind": {},
             "groups": {"type": "integer", "minimum": 1, "maximum": 16777216, "description": "the number of groups; 3 by default"},
             "chassis": {"type": "integer", "minimum": 1, "maximum": 16777216,
                         "description": "the chassis of a group; 3 by default"},
             "routers": {"type": "integer", "minimum": 1, "maximum": 16777216,
                         "description": "the routers of a chassis; 4 by default"},
             "hosts_per_router": {"type": "integer", "minimum": 1, "maximum": 16777216,
                                  "description": "the hosts of a router; 2 by default"},
             "cables": {"type": "array", "title": "a list of three integers of at least 1",
                        "minItems": 3, "maxItems": 3, "items": {"type": "integer", "minimum": 1, "maximum": 1048576},
                        "description": "the cables of a link between groups, between chassis, and within a chassis; [1, 1, 1] by default"}}}},
        {"if": {"properties": {"kind": {"const": "fat_tree"}}, "required": ["kind"]},
         "then": {
           "description": "levels of switches above the hosts, with the parameters of SimGrid's FAT_TREE",
           "required": ["kind", "down", "up"], "additionalProperties": false,
           "properties": {
             "kind": {},
             "levels": {"type": "integer", "minimum": 1, "maximum": 24, "description": "the length of the lists"},
             "down": {"type": "array", "title": "a list of 1 to 24 integers", "minItems": 1, "maxItems": 24,
                      "items": {"type": "integer", "minimum": 1, "maximum": 16777216},
                      "description": "for each level, beginning at the hosts: how many links go down from a switch"},
             "up": {"type": "array", "title": "a list of 1 to 24 integers", "minItems": 1, "maxItems": 24,
                    "items": {"type": "integer", "minimum": 1, "maximum": 16777216},
                    "description": "for each level, beginning at the hosts: how many links go up to this level from each host or switch below; the first is 1, the link of a host's NIC"},
             "parallel": {"type": "array", "title": "a list of 1 to 24 integers", "minItems": 1, "maxItems": 24,
                          "items": {"type": "integer", "minimum": 1, "maximum": 1048576},
                          "description": "for each level: the cables of each of these links; 1 by default, the first is 1"}}}},
        {"if": {"properties": {"kind": {"const": "hyperx"}}, "required": ["kind"]},
         "then": {
           "description": "a lattice of routers, each joined with all that differ from it in one coordinate; routes take one dimension after the other",
           "required": ["kind", "dims"], "additionalProperties": false,
           "properties": {
             "kind": {},
             "dims": {"type": "array", "title": "a list of 1 to 24 extents such as [4, 4]", "minItems": 1, "maxItems": 24,
                      "items": {"type": "integer", "minimum": 1, "maximum": 16777216},
                      "description": "the number of routers in each dimension"},
             "hosts_per_router": {"type": "integer", "minimum": 1, "maximum": 16777216,
                                  "description": "the hosts on a router; 1 by default"},
             "cables": {"type": "array", "title": "a list of 1 to 24 integers", "minItems": 1, "maxItems": 24,
                        "items": {"type": "integer", "minimum": 1, "maximum": 1048576},
                        "description": "for each dimension: the cables of a link; 1 by default"}}}},
        {"if": {"properties": {"kind": {"const": "dragonfly_plus"}}, "required": ["kind"]},
         "then": {
           "description": "groups of leaf and spine routers; in a group each leaf is joined with each spine, and spine k with spine k of every other group",
           "required": ["kind"], "additionalProperties": false,
           "properties": {
             "kind": {},
             "groups": {"type": "integer", "minimum": 1, "maximum": 16777216, "description": "the number of groups; 3 by default"},
             "leaves": {"type": "integer", "minimum": 1, "maximum": 16777216,
                        "description": "the leaf routers of a group, which have the hosts; 4 by default"},
             "spines": {"type": "integer", "minimum": 1, "maximum": 16777216,
                        "description": "the spine routers of a group; 4 by default"},
             "hosts_per_leaf": {"type": "integer", "minimum": 1, "maximum": 16777216, "description": "the hosts on a leaf router; 2 by default"},
             "cables": {"type": "array", "title": "a list of two integers of at least 1",
                        "minItems": 2, "maxItems": 2, "items": {"type": "integer", "minimum": 1, "maximum": 1048576},
                        "description": "the cables of a link between groups, and of a link within a group; [1, 1] by default"}}}},
        {"if": {"properties": {"kind": {"const": "slim_fly"}}, "required": ["kind"]},
         "then": {
           "description": "2 q^2 routers; any two are at most two links apart",
           "required": ["kind", "q"], "additionalProperties": false,
           "properties": {
             "kind": {},
             "q": {"type": "integer", "minimum": 3, "maximum": 128, "description": "a power of a prime number, which sets the size"},
             "hosts_per_router": {"type": "integer", "minimum": 1, "maximum": 16777216,
                                  "description": "the hosts on a router; 1 by default"}}}},
        {"if": {"properties": {"kind": {"const": "graph"}}, "required": ["kind"]},
         "then": {
           "description": "any hosts, switches and links; routes are random shortest ones",
           "required": ["kind", "hosts", "links"], "additionalProperties": false,
           "properties": {
             "kind": {},
             "hosts": {"type": "integer", "minimum": 1, "maximum": 16777216,
                       "description": "the number of hosts, which are the vertices from 0 on"},
             "switches": {"type": "integer", "minimum": 0, "maximum": 16777216,
                          "description": "the number of switches, which are the vertices after the hosts; 0 by default"},
             "links": {"type": "array", "title": "a list of links such as [0, 4, 1]", "maxItems": 16777216,
                       "items": {"type": "array", "title": "two vertices and a width such as [0, 4, 1]", "minItems": 2, "maxItems": 3,
                                 "items": {"type": "integer", "minimum": 0, "maximum": 33554431}},
                       "description": "the links: two vertices and a width, by which link_bandwidth is multiplied (1 if it is left out)"},
             "directed": {"type": "boolean",
                          "description": "whether each link goes only from its first vertex to its second; false by default"}}}},
        {"if": {"properties": {"kind": {"const": "file"}}, "required": ["kind"]},
         "then": {
           "description": "a SimGrid platform file, which also says which links are shared; without latency and bandwidth in the machine, all numbers are those of the file",
           "required": ["kind", "path"], "additionalProperties": false,
           "properties": {
             "kind": {},
             "path": {"type": "string", "minLength": 1, "title": "the name of a file",
                      "description": "the SimGrid platform file, relative to the folder of the file that names it"},
             "checksum": {"type": "string", "minLength": 1, "title": "a checksum such as \"fnv1a:0123456789abcdef\"",
                          "description": "the checksum of that file. A file with another checksum is refused. Records contain it."}}}}
      ]
    },
    "source": {"type": ["string", "array"], "title": "a string or a list of strings", "items": {"type": "string"},
               "description": "the origin of the machine's numbers"},
    "latency": {"type": "string", "title": "a string with a unit such as \"1us\"",
                "description": "alpha: the time of a message without bytes"},
    "hop_latency": {"type": "string", "title": "a string with a unit such as \"100ns\"",
                    "description": "the time added for each link of a route after the first; \"0s\" by default"},
    "bandwidth": {"type": "string", "title": "a string with a unit such as \"1GBps\"",
                  "description": "1/beta: the bytes per second of each port"},
    "pieces": {"type": "array", "title": "a list of pieces", "minItems": 1, "maxItems": 32,
               "items": {
                 "type": "object",
                 "title": "an object such as {\"up_to\": \"8KiB\", \"latency\": \"1us\", \"bandwidth\": \"5GBps\"}",
                 "required": ["up_to", "latency", "bandwidth"], "additionalProperties": false,
                 "properties": {
                   "up_to": {"type": "string", "title": "a string with a unit such as \"8KiB\"",
                             "description": "the largest payload of the piece"},
                   "latency": {"type": "string", "title": "a string with a unit such as \"1us\"",
                               "description": "the latency of messages of this size"},
                   "bandwidth": {"type": "string", "title": "a string with a unit such as \"1GBps\"",
                                 "description": "the bandwidth of a message of this size, at most that of the machine"}}},
               "description": "latency and bandwidth of messages between hosts, by ranges of sizes, smallest first. Larger messages use the machine's values."},
    "ports": {"type": "integer", "minimum": 1, "maximum": 1048576,
              "description": "how many sends, and how many receives, a rank can do at the same time; 1 by default"},
    "ranks_per_host": {"type": "integer", "minimum": 1, "maximum": 1048576,
                       "description": "the ranks of a host. They share its NIC, which has ports * bandwidth; 1 by default"},
    "placement": {"type": ["string", "array"], "title": "\"block\", \"cyclic\" or a list of hosts",
                  "allOf": [{"if": {"type": "string"}, "then": {"enum": ["block", "cyclic"]}}],
                  "items": {"type": "integer", "minimum": 0, "maximum": 16777215},
                  "description": "the host of each rank: rank / ranks_per_host (block, by default), rank mod hosts, or as listed"},
    "intra_latency": {"type": "string", "title": "a string with a unit such as \"200ns\"",
                      "description": "alpha between ranks of one host; latency by default"},
    "intra_bandwidth": {"type": "string", "title": "a string with a unit such as \"4GBps\"",
                        "description": "1/beta between ranks of one host, which do not use its NIC; bandwidth by default"},
    "nics": {"type": "integer", "minimum": 1, "maximum": 256,
             "description": "the NICs of a host, each with ports * bandwidth in each direction; 1 by default"},
    "nic_of": {"type": "string", "enum": "nic_of",
               "description": "the NIC that rank i of the n ranks of a host uses: i * nics / n (block, by default), i mod nics (cyclic), or all NICs, with a part of each message on each (striped)"},
    "stripe_from": {"type": "string", "title": "a string with a unit such as \"64KiB\"",
                    "description": "the smallest payload that is striped. Smaller messages use the NIC of block; \"0B\" by default"},
    "rails": {"type": "boolean",
              "description": "whether each NIC has its own network, a copy of the topology; false by default"},
    "nic_gap": {"type": "string", "title": "a string with a unit such as \"5ns\"",
                "description": "the least time between two messages that pass a NIC, under flow timing; \"0ns\" by default"},
    "island": {
      "type": "object",
      "title": "an object such as {\"kind\": \"switch\", \"bandwidth\": \"300GBps\"}",
      "description": "the connection between the ranks of a host; a memory of intra_bandwidth by default",
      "required": ["kind"],
      "properties": {
        "kind": {"type": "string", "enum": "island"}
      },
      "allOf": [
        {"if": {"properties": {"kind": {"const": "memory"}}, "required": ["kind"]},
         "then": {
           "description": "a memory, whose bandwidth messages share only under flow timing",
           "required": ["kind", "bandwidth"], "additionalProperties": false,
           "properties": {
             "kind": {},
             "bandwidth": {"type": "string", "title": "a string with a unit such as \"300GBps\"",
                           "description": "the bandwidth of the memory; a message uses at most intra_bandwidth"}}}},
        {"if": {"properties": {"kind": {"const": "switch"}}, "required": ["kind"]},
         "then": {
           "description": "a switch, with a link from each rank and a link to each rank",
           "required": ["kind", "bandwidth"], "additionalProperties": false,
           "properties": {
             "kind": {},
             "bandwidth": {"type": "string", "title": "a string with a unit such as \"300GBps\"",
                           "description": "the bandwidth of each link; a message uses at most intra_bandwidth"}}}},
        {"if": {"properties": {"kind": {"const": "links"}}, "required": ["kind"]},
         "then": {
           "description": "a link for each ordered pair of ranks",
           "required": ["kind", "bandwidth"], "additionalProperties": false,
           "properties": {
             "kind": {},
             "bandwidth": {"type": "string", "title": "a string with a unit such as \"300GBps\"",
                           "description": "the bandwidth of each link; a message uses at most intra_bandwidth"}}}}
      ]
    },
    "links": {"type": "string", "enum": "links",
              "description": "whether messages that use the same link share its bandwidth; unshared by default"},
    "link_bandwidth": {"type": "string", "title": "a string with a unit such as \"4GBps\"",
                       "description": "the bandwidth of each cable of a shared link; bandwidth by default"},
    "routing": {"type": "string", "enum": "routing",
                "description": "the routes on a topology with several ways: minimal (one shortest route; by default), valiant (through a random host), ecmp (a random shortest route), ugal (minimal or valiant, whichever has less load when a message starts); for each pair of hosts"},
    "routing_seed": {"type": "integer", "minimum": 0,
                     "description": "the seed of random routes; 0 by default"},
    "failed_links": {"type": ["array", "object"], "title": "a list of pairs of routers or an object with a fraction",
                     "items": {"type": "array", "title": "a pair of routers", "minItems": 2, "maxItems": 2,
                               "items": {"type": "integer", "minimum": 0, "maximum": 2147483647}},
                     "required": ["fraction"], "additionalProperties": false,
                     "properties": {
                       "fraction": {"type": "number", "minimum": 0, "maximum": 1,
                                    "description": "the share of all links between routers"},
                       "seed": {"type": "integer", "minimum": 0,
                                "description": "the seed that selects the links; 0 by default"}},
                     "description": "links between routers that carry nothing, in both directions. Routes avoid them; none by default"},
    "neighbors_only": {"type": "boolean",
                       "description": "on a ring, torus or mesh: refuse schedules with messages to ranks that are not neighbors; false by default"},
    "envelope": {"type": "string", "title": "a string with a unit such as \"16B\"",
                 "description": "the bytes added to every message; \"0B\" by default"},
    "reduce": {"type": "string", "title": "a string with a unit such as \"0.2ns/B\"",
               "description": "the CPU time of each byte that a reduction joins, under flow timing; \"0ns/B\" by default"},
    "poll": {"type": "string", "title": "a string with a unit such as \"100ns\"",
             "description": "the time of a probe or test in a program, on the SMPI engine; \"100ns\" by default"},
    "timing": {"type": "string", "enum": "timing",
               "description": "the cost model of a message: linear (alpha + beta * n, on ports; by default), flow (with CPU time, and messages that share NICs), or loggp (engine native)"},
    "flow": {
      "type": "object",
      "title": "an object such as {\"o_send\": \"300ns\"}",
      "description": "the costs of messages under flow timing",
      "additionalProperties": false,
      "properties": {
        "o_send": {"type": "string", "title": "a string with a unit such as \"300ns\"",
                   "description": "the CPU time of a send, before its message starts; \"0s\" by default"},
        "o_recv": {"type": "string", "title": "a string with a unit such as \"300ns\"",
                   "description": "the CPU time of a receive, after its message has arrived; \"0s\" by default"},
        "match": {"type": "string", "title": "a string with a unit such as \"10ns\"",
                  "description": "the CPU time of each queue entry that an arriving message or a posted receive compares; \"0s\" by default"},
        "eager": {"type": "string", "title": "a string with a unit such as \"8KiB\"",
                  "description": "the size up to which a message does not wait for its receive; \"0B\" by default, at most \"1GiB\""},
        "ack": {"type": "boolean",
                "description": "whether a synchronous send of a sparse exchange ends one start-up after its receive; true by default"},
        "handshake": {"type": "string", "title": "a string with a unit such as \"2us\"",
                      "description": "the time added to the start-up of messages larger than eager; \"0s\" by default"}
      }
    },
    "loggp": {
      "type": "object",
      "title": "an object such as {\"L\": \"5us\", \"o\": \"1us\", \"g\": \"2us\", \"G\": \"0.4ns/B\"}",
      "description": "the parameters of loggp timing, instead of latencies, bandwidths and ports",
      "required": ["L", "o", "g", "G"],
      "additionalProperties": false,
      "properties": {
        "L": {"type": "string", "title": "a string with a unit such as \"2500ns\"",
              "description": "the time from the end of a send's o to the arrival of its first byte"},
        "o": {"type": "string", "title": "a string with a unit such as \"1500ns\"",
              "description": "the CPU time of each send and each receive"},
        "g": {"type": "string", "title": "a string with a unit such as \"1us\"",
              "description": "the NIC time of each message, at both ends"},
        "G": {"type": "string", "title": "a string with a unit such as \"6ns/B\"",
              "description": "the NIC time of each byte after the first"},
        "O": {"type": "string", "title": "a string with a unit such as \"1ns/B\"",
              "description": "the CPU time of each byte after the first; \"0ns/B\" by default"},
        "S": {"type": "string", "title": "a string with a unit such as \"64KiB\"",
              "description": "the size up to which a sender does not wait for its receiver; \"65535B\" by default"}
      }
    }
  },
  "allOf": [
    {"if": {"properties": {"timing": {"const": "loggp"}}, "required": ["timing"]},
     "then": {"required": ["loggp"]},
     "else": {"allOf": [
       {"if": {"properties": {"topology": {"properties": {"kind": {"const": "file"}}, "required": ["kind"]}}, "required": ["topology"]},
        "then": {},
        "else": {"required": ["latency", "bandwidth"]}}]}}
  ]
})json";

}  // namespace rondo::scenario
