// One table: what is changed in a valid scenario, and the exact line that refuses it.

#include <gtest/gtest.h>

#include <string>

#include "problem/enums.hpp"
#include "refusals.hpp"

namespace rondo::scenario {
namespace {

/// Every kind of collective, quoted, as a message lists them.
std::string all_kinds() {
  std::string list;
  for (auto const& [kind, word] : enum_names<problem::Kind>) {
    list += (list.empty() ? "\"" : ", \"") + std::string(word) + "\"";
  }
  return list;
}

TEST(BadInput, the_sample_itself_is_good) { EXPECT_NO_THROW(read_all(sample(), "s.json")); }

TEST(BadInput, unknown_keys) {
  expect_refusals({
      {R"({"blok": "1B"})", R"(unknown key "blok"; did you mean "block"?)"},
      {R"({"collective": {"radius": 1}})",
       R"(/collective: unknown key "radius"; did you mean /collective/neighborhood/radius?)"},
      {R"({"collective": {"neighborhood": {"radius": null, "radus": 1}}})",
       R"(/collective/neighborhood: unknown key "radus"; did you mean "radius"?)"},
      {R"({"collective": {"neighborhood": {"radii": [1]}}})",
       R"(/collective/neighborhood: unknown key "radii"; accepted: "kind", "radius")"},
      {R"({"collective": {"shortest_rap": true}})",
       R"(/collective: unknown key "shortest_rap"; did you mean "shortest_wrap"?)"},
      {R"({"collective": {"kind": "isomorphic_allgather", "block_sizes": "m"}})",
       R"(/collective: unknown key "block_sizes"; accepted: "kind", "torus", "neighborhood", "dimension_order", "shortest_wrap", "basis", "periodic")"},
      {R"({"machine": {"bandwith": "1GBps"}})", R"(/machine: unknown key "bandwith"; did you mean "bandwidth"?)"},
      {R"({"machine": {"topology": {"host": 24}}})", R"(/machine/topology: unknown key "host"; did you mean "hosts"?)"},
      {R"({"machine": {"topology": {"dims": [24]}}})",
       R"(/machine/topology: unknown key "dims"; accepted: "kind", "hosts")"},
      {R"({"a\nb": 1})",
       R"(unknown key "a\nb"; accepted: "$schema", "schema_version", "title", "source", "machine", "collective", "algorithm", )"
       R"("block", "engine", "payload", "posting", "arrival", "replications", "seed", "inputs", "sweep", "expect")"},
  });
}

TEST(BadInput, missing_keys) {
  expect_refusals({
      {R"({"block": null})",
       R"(missing key "block" (a string with a unit such as "64KiB": m: the bytes of one block))"},
      {R"({"algorithm": null})",
       R"(missing key "algorithm" (one of "straightforward", "posted", "torus", "direct", "basis", "parity": the algorithm of the collective))"},
      {R"({"machine": null})",
       "missing key \"machine\" (an object, or the name of a file that holds one: the machine, or the name of a file "
       "with "
       "such an object, relative to the scenario's folder)"},
      {R"({"collective": {"torus": null}})",
       R"(/collective: missing key "torus" (a list of 1 to 64 extents such as [8, 8]: the extents of the torus of ranks, p in all))"},
      {R"({"collective": {"kind": null}})", "/collective: missing key \"kind\" (one of " + all_kinds() + ")"},
      {R"({"collective": {"neighborhood": {"kind": null}}})",
       R"(/collective/neighborhood: missing key "kind" (one of "moore", "von_neumann", "octant", "shales", "offsets"))"},
      {R"({"collective": {"neighborhood": {"radius": null}}})",
       R"(/collective/neighborhood: missing key "radius" (an integer from 0 to 1048576: the largest Chebyshev norm))"},
      {R"({"machine": {"bandwidth": null}})",
       R"(/machine: missing key "bandwidth" (a string with a unit such as "1GBps": 1/beta: the bytes per second of each port))"},
      {R"({"machine": {"topology": {"hosts": null}}})",
       R"(/machine/topology: missing key "hosts" (an integer from 1 to 16777216: the number of hosts))"},
  });
}

TEST(BadInput, wrong_types) {
  expect_refusals({
      {R"({"title": 1})", "/title: expected a string, got 1"},
      {R"({"machine": 3})", "/machine: expected an object, or the name of a file that holds one, got 3"},
      {R"({"machine": {"topology": "ring"}})",
       R"(/machine/topology: expected an object such as {"kind": "torus", "dims": [8, 8]}, got "ring")"},
      {R"({"machine": {"topology": {"hosts": "24"}}})",
       R"(/machine/topology/hosts: expected an integer from 1 to 16777216, got "24")"},
      {R"({"machine": {"topology": {"hosts": 24.0}}})",
       "/machine/topology/hosts: expected an integer from 1 to 16777216, got 24.0"},
      {R"({"machine": {"neighbors_only": 1}})", "/machine/neighbors_only: expected true or false, got 1"},
      {R"({"collective": [1, 2]})",
       R"(/collective: expected an object such as {"kind": "allgather", "ranks": 8}, got [1,2])"},
      {R"({"collective": {"torus": 24}})",
       "/collective/torus: expected a list of 1 to 64 extents such as [8, 8], got 24"},
      {R"({"collective": {"torus": [4, "3", 2]}})",
       R"(/collective/torus/1: expected an integer from 1 to 16777216, got "3")"},
      {R"({"collective": {"neighborhood": {"kind": "offsets", "radius": null, "offsets": [1, 2]}}})",
       "/collective/neighborhood/offsets/0: expected an offset: a list of integers, got 1"},
      {R"({"collective": {"dimension_order": 1}})",
       R"(/collective/dimension_order: expected "given", "best", "paper" or a list of dimensions, got 1)"},
      {R"({"seed": true})", "/seed: expected an integer from 0 to 9223372036854775807, got true"},
      {R"({"expect": {}})", "/expect: expected a list of claims, got {}"},
  });
}

TEST(BadInput, wrong_words) {
  expect_refusals({
      {R"({"algorithm": "tours"})",
       R"(/algorithm: expected one of "straightforward", "posted", "torus", "direct", "basis", "parity", got "tours"; did you mean "torus"?)"},

      {R"({"algorithm": "strait"})",
       R"(/algorithm: expected one of "straightforward", "posted", "torus", "direct", "basis", "parity", got "strait")"},
      {R"({"algorithm": "straightfoward"})",
       R"(/algorithm: expected one of "straightforward", "posted", "torus", "direct", "basis", "parity", got "straightfoward"; did you mean "straightforward"?)"},
      {R"({"engine": "natve"})", R"(/engine: expected one of "smpi", "native", got "natve"; did you mean "native"?)"},
      {R"({"payload": "verifed"})",
       R"(/payload: expected one of "automatic", "verified", "timing", got "verifed"; did you mean "verified"?)"},
      {R"({"schema_version": 2})", "/schema_version: expected 1, got 2"},
      {R"({"machine": {"timing": "logp"}})",
       R"(/machine/timing: expected one of "linear", "flow", "loggp", got "logp"; did you mean "loggp"?)"},
      {R"({"machine": {"topology": {"kind": "rin"}}})",
       R"(/machine/topology/kind: expected one of "fully_connected", "ring", "torus", "mesh", "dragonfly", "fat_tree", "hyperx", "dragonfly_plus", "slim_fly", "graph", "file", got "rin"; did you mean "ring"?)"},
      {R"({"collective": {"kind": "isomorphic_alltoal"}})",
       "/collective/kind: expected one of " + all_kinds() +
           R"(, got "isomorphic_alltoal"; did you mean "isomorphic_alltoall"?)"},
      {R"({"collective": {"neighborhood": {"kind": "more"}}})",
       R"(/collective/neighborhood/kind: expected one of "moore", "von_neumann", "octant", "shales", "offsets", got "more"; )"
       R"(did you mean "moore"?)"},
      {R"({"collective": {"dimension_order": "give"}})",
       R"(/collective/dimension_order: expected "given", "best", "paper" or a list of dimensions, got "give"; did you mean "given"?)"},
  });
}

TEST(BadInput, numbers_out_of_range) {
  expect_refusals({
      {R"({"seed": -1})", "/seed: expected an integer from 0 to 9223372036854775807, got -1"},
      {R"({"machine": {"ports": 0}})", "/machine/ports: expected an integer from 1 to 1048576, got 0"},
      {R"({"machine": {"topology": {"hosts": 0}}})",
       "/machine/topology/hosts: expected an integer from 1 to 16777216, got 0"},
      {R"({"machine": {"topology": {"hosts": -5}}})",
       "/machine/topology/hosts: expected an integer from 1 to 16777216, got -5"},
      {R"({"collective": {"torus": []}})",
       "/collective/torus: expected a list of 1 to 64 extents such as [8, 8], got []"},
      {R"({"collective": {"torus": [4, 0, 2]}})", "/collective/torus/1: expected an integer from 1 to 16777216, got 0"},
      {R"({"collective": {"torus": [4096, 4096, 2]}})",
       "/collective/torus: a torus has at most 16777216 ranks, got [4096,4096,2]"},
      {R"({"collective": {"neighborhood": {"radius": -1}}})",
       "/collective/neighborhood/radius: expected an integer from 0 to 1048576, got -1"},
      {R"({"collective": {"neighborhood": {"radius": 1000}}})",
       "/collective/neighborhood/radius: a neighborhood of radius 1000 in 3 dimensions is too large"},
      {R"({"collective": {"neighborhood": {"kind": "shales", "radius": null, "radii": [3, 1000]}}})",
       "/collective/neighborhood/radii: a neighborhood of radius 1000 in 3 dimensions is too large"},
      {R"({"collective": {"neighborhood": {"kind": "offsets", "radius": null, "offsets": [[0, 0, 1048577]]}}})",
       "/collective/neighborhood/offsets/0/2: expected an integer from -1048576 to 1048576, got 1048577"},
  });
}

TEST(BadInput, units) {
  expect_refusals({
      {R"({"machine": {"bandwidth": 1e9}})",
       R"(/machine/bandwidth: expected a string with a unit such as "1GBps", got 1000000000.0)"},
      {R"({"machine": {"bandwidth": 1000000000}})",
       R"(/machine/bandwidth: expected a string with a unit such as "1GBps", got 1000000000)"},
      {R"({"block": 64})", R"(/block: expected a string with a unit such as "64KiB", got 64)"},
      {R"({"block": "64"})",
       R"(/block: expected a size such as "64KiB", got "64": the unit is missing (one of B, kB, MB, GB, TB, KiB, MiB, GiB, TiB))"},
      {R"({"block": "64us"})",
       R"(/block: expected a size such as "64KiB", got "64us": unknown unit "us" (one of B, kB, MB, GB, TB, KiB, MiB, GiB, TiB))"},
      {R"({"block": "-64B"})", R"(/block: expected a size such as "64KiB", got "-64B": it is negative)"},
      {R"({"block": "0.5B"})", R"(/block: expected a size such as "64KiB", got "0.5B": not a whole number of bytes)"},
      {R"({"block": "8388608TiB"})",
       R"(/block: expected a size such as "64KiB", got "8388608TiB": the number is out of range (it must be below 2^63 bytes))"},
      {R"({"machine": {"latency": "1"}})",
       R"(/machine/latency: expected a time such as "1us", got "1": the unit is missing (one of s, ms, us, ns, ps))"},
      {R"({"machine": {"latency": "nan"}})",
       R"(/machine/latency: expected a time such as "1us", got "nan": it does not start with a decimal number)"},
      {R"({"machine": {"hop_latency": "-1us"}})",
       R"(/machine/hop_latency: expected a time such as "1us", got "-1us": it is negative)"},
      {R"({"machine": {"poll": "0s"}})",
       R"(/machine/poll: expected more than 0s, since polling would end no wait, got "0s")"},
      {R"({"machine": {"envelope": 16}})", R"(/machine/envelope: expected a string with a unit such as "16B", got 16)"},
      {R"({"machine": {"bandwidth": "0GBps"}})",
       R"(/machine/bandwidth: expected a bandwidth such as "1GBps", got "0GBps": it must be greater than 0)"},
  });
}

TEST(BadInput, parts_that_do_not_fit_together) {
  expect_refusals({
      {R"({"machine": {"topology": {"hosts": 25}}})",
       "/collective/torus: expected 25 ranks, one for each host of /machine/topology, got 4 x 3 x 2 = 24"},
      {R"({"collective": {"torus": [12]}})",
       "/collective/torus: expected 24 ranks, one for each host of /machine/topology, got 12"},
      {R"({"machine": {"topology": {"kind": "torus", "hosts": null, "dims": [5, 5]}}})",
       "/collective/torus: expected 25 ranks, one for each host of /machine/topology, got 4 x 3 x 2 = 24"},
      {R"({"machine": {"topology": {"kind": "torus", "hosts": null, "dims": [16777216, 2]}}})",
       "/machine/topology/dims: a torus has at most 16777216 ranks, got [16777216,2]"},
      {R"({"collective": {"neighborhood": {"kind": "offsets", "radius": null, "offsets": [[1, 0, 0], [0, 1, 0], [1, 1]]}}})",
       "/collective/neighborhood/offsets/2: expected 3 coordinates, as many as /collective/torus has dimensions, got "
       "2"},
      {R"({"collective": {"dimension_order": [0, 1]}})",
       "/collective/dimension_order: expected a permutation of 0 to 2, got [0,1]"},
      {R"({"collective": {"dimension_order": [0, 1, 1]}})",
       "/collective/dimension_order: expected a permutation of 0 to 2, got [0,1,1]"},
      {R"({"collective": {"dimension_order": [1, 2, 3]}})",
       "/collective/dimension_order: expected a permutation of 0 to 2, got [1,2,3]"},
      {R"({"machine": {"neighbors_only": true}})",
       R"(/machine/neighbors_only: expected false on a topology that is no "ring", "torus" or "mesh", got true)"},
      {R"({"machine": {"topology": {"kind": "file", "hosts": null, "path": "nowhere.xml"}}})",
       R"(/machine/topology/path: expected the name of a SimGrid platform file, got "nowhere.xml": no such file)"},
      {R"({"engine": "native", "payload": "verified"})",
       R"(/payload: expected "automatic" or "timing" with the engine "native", which moves no payload, got "verified")"},
      {R"({"machine": "nowhere.json"})",
       R"(/machine: expected an object, or the name of a file that holds one, got "nowhere.json": no such file)"},
  });
}

TEST(BadInput, two_megabytes_of_text_are_refused_in_one_short_line) {
  std::string const huge(2 << 20, 'x');
  for (std::string const pointer : {"/algorithm", "/block", "/machine", "/machine/latency", "/machine/topology/kind",
                                    "/seed", "/collective/torus", "/collective/neighborhood", "/sweep", "/expect"}) {
    Json scenario = sample();
    scenario[Json::json_pointer(pointer)] = huge;
    std::string const message = refusal([&] { read_all(scenario, "s.json"); });
    EXPECT_NE(message, "accepted") << pointer;
    EXPECT_LT(message.size(), 600u) << pointer;
  }
  Json scenario = sample();
  scenario["collective"][huge] = 1;
  EXPECT_LT(refusal([&] { read_all(scenario, "s.json"); }).size(), 400u);
  scenario = sample();
  scenario["title"] = huge;
  EXPECT_NO_THROW(read_all(scenario, "s.json"));
}

}  // namespace
}  // namespace rondo::scenario
