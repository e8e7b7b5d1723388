// Schedules of rounds of all families, from which mutants are made (mutants.hpp).

#include <utility>

#include "certificates/mutants.hpp"
#include "run/families/plan.hpp"
#include "run/formats/promise_json.hpp"
#include "run/points/export.hpp"
#include "schedule/file/schedule_json.hpp"

namespace rondo::mutants {
namespace {

/// A collective, and the algorithms whose schedules are changed.
struct Family {
  char const* collective;
  std::vector<char const*> algorithms;
  char const* block = "8B";
};

std::vector<Family> const families = {
    {R"({"kind": "bcast", "ranks": 4, "root": 2})", {"binomial", "chain"}},
    {R"({"kind": "bcast", "ranks": 5, "segment": "4B"})", {"pipeline", "scatter_allgather"}},
    {R"({"kind": "gather", "ranks": 4, "block_sizes": "m + r"})", {"binomial", "linear_sync"}},
    {R"({"kind": "scatter", "ranks": 4, "root": 1})", {"binomial", "linear"}},
    {R"({"kind": "allgather", "ranks": 4, "block_sizes": ["3B", "5B", "8B", "3B"]})", {"ring", "bruck"}},
    {R"({"kind": "allgather", "ranks": 4})", {"neighbor_exchange", "recursive_doubling", "circulant"}},
    {R"({"kind": "alltoall", "ranks": 4})", {"bruck", "pairwise"}},
    {R"({"kind": "reduce", "ranks": 4, "commutative": false})", {"chain", "binomial"}},
    {R"({"kind": "reduce_scatter", "ranks": 4})", {"ring", "recursive_halving"}},
    {R"({"kind": "scan", "ranks": 4, "commutative": false})", {"linear", "recursive_doubling"}},
    {R"({"kind": "exscan", "ranks": 4})", {"recursive_doubling"}},
    {R"({"kind": "allreduce", "ranks": 4})", {"ring", "recursive_doubling", "rabenseifner", "swing"}},
    {R"({"kind": "allreduce", "ranks": 4, "same_bits": true})", {"ring", "recursive_doubling"}},
    {R"({"kind": "barrier", "ranks": 5})", {"dissemination", "binomial"}, "0B"},
    {R"({"kind": "isomorphic_alltoall", "torus": [4], "neighborhood": {"kind": "offsets", "offsets": [[1], [2]]}})",
     {"torus", "straightforward"}},
    {R"({"kind": "isomorphic_alltoall", "torus": [3, 2], "neighborhood": {"kind": "moore", "radius": 1},
        "block_sizes": "m + l1"})",
     {"torus", "direct"}},
    {R"({"kind": "isomorphic_allgather", "torus": [4, 2], "neighborhood": {"kind": "von_neumann", "radius": 2}})",
     {"torus", "straightforward"}},
    {R"({"kind": "isomorphic_allgather", "torus": [4, 3], "neighborhood": {"kind": "octant", "radius": 1},
        "periodic": [true, false]})",
     {"torus"}},
    {R"({"kind": "intergroup_allgather", "senders": 3, "receivers": 2, "broadcast": "scatter_allgather"})",
     {"group_allgather", "root_gathering"}},
    {R"({"kind": "neighbor_alltoall", "graph": {"kind": "edges", "ranks": 4,
        "edges": [[2, 1], [0, 1], [0, 2], [3, 0], [0, 1], [1, 1]]}})",
     {"naive", "common_neighbors"}},
    {R"({"kind": "neighbor_allgather", "graph": {"kind": "moore", "torus": [3], "radius": 1}})", {"naive"}},
    {R"({"kind": "sparse_allreduce", "graph": {"kind": "edges", "ranks": 4, "edges": [[2, 1], [0, 1], [3, 1], [0, 1]]}})",
     {"naive"}},
    {R"({"kind": "sparse_reduce", "root": 2, "graph": {"kind": "offsets", "torus": [4], "offsets": [[1], [-2]]}})",
     {"torus"}},
    {R"({"kind": "sparse_bcast", "root": 1, "graph": {"kind": "edges", "ranks": 3, "edges": [[1, 0], [1, 2], [1, 1]]}})",
     {"naive"}},
    {R"({"kind": "sparse_barrier", "graph": {"kind": "edges", "ranks": 3, "edges": [[0, 1], [1, 2], [2, 0], [0, 0]]}})",
     {"naive"},
     "0B"},
};

/// Bytes of messages follow from their places; without them a change of places can be read.
void leave_out_bytes(Json& schedule) {
  for (Json& program : schedule["programs"]) {
    for (Json& round : program["rounds"]) {
      for (char const* list : {"sends", "receives"}) {
        if (!round.contains(list)) continue;
        for (Json& message : round[list]) message.erase("bytes");
      }
    }
  }
}

int ranks_of(Json const& collective) {
  if (collective.contains("graph")) return ranks_of(collective["graph"]);
  if (collective.contains("senders")) return collective["senders"].get<int>() + collective["receivers"].get<int>();
  if (collective.contains("ranks")) return collective["ranks"].get<int>();
  int product = 1;
  for (Json const& extent : collective["torus"]) product *= extent.get<int>();
  return product;
}

Json exported_schedule(Family const& family, std::string const& algorithm, bool written) {
  Json document = Json::parse(R"({"machine": {"topology": {"kind": "fully_connected"}, "latency": "1us",
    "bandwidth": "1GBps"}, "engine": "native"})");
  document["collective"] = Json::parse(family.collective);
  document["machine"]["topology"]["hosts"] = ranks_of(document["collective"]);
  document["algorithm"] = algorithm;
  document["block"] = family.block;
  scenario::Scenario const parsed = scenario::parse(scenario::Sweep(document, "s.json")[0], "s.json");
  Plan const plan = plan_of(parsed, "s.json");
  SchedulePlan const& chosen = schedule_plan(plan, "s.json");
  ScheduleFile file = export_schedule(chosen, parsed);
  std::string text;
  write_schedule(file, [&](std::string_view piece) { text += piece; });
  Json schedule = Json::parse(text);
  // A promise that is written out has blocks of one size.
  if (written && !document["collective"].contains("block_sizes") && !file.promise.contains("pieces")) {
    schedule["promise"] = written_out(chosen.collective);
  }
  leave_out_bytes(schedule);
  return schedule;
}

}  // namespace

std::vector<Json> rounds() {
  std::vector<Json> all;
  for (Family const& family : families) {
    for (char const* algorithm : family.algorithms) {
      for (bool const written : {false, true}) all.push_back(exported_schedule(family, algorithm, written));
    }
  }
  return all;
}

}  // namespace rondo::mutants
