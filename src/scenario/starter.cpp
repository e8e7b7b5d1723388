// Makes first scenarios for `rondo new`. The schema states which keys a kind requires, and the comments come from the
// schema. So a new kind of collective needs a change here only if it requires a key that `usual` lacks.
// tests/scenario/starter_test.cpp parses the scenario of every kind.

#include "scenario/starter.hpp"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "base/error.hpp"
#include "base/suggest.hpp"
#include "base/text.hpp"
#include "json/value.hpp"
#include "problem/enums.hpp"
#include "scenario/custom.hpp"
#include "scenario/scenario.hpp"
#include "scenario/sub_schema.hpp"

namespace rondo::scenario {
namespace {

/// Values for the keys that kinds require. They fit together on 16 ranks. A kind takes those that its schema requires.
constexpr char const* usual = R"json({
  "ranks": 16,
  "torus": [4, 4],
  "neighborhood": {"kind": "moore", "radius": 1},
  "senders": 8,
  "receivers": 8,
  "graph": {"kind": "moore", "torus": [4, 4], "radius": 1},
  "pattern": {"kind": "random", "ranks": 16, "targets": 4},
  "points": 1000,
  "steps": [{"name": "halo", "collective": {"kind": "alltoall"}, "algorithm": "pairwise", "groups": {"size": 4}, "overlap": true},
            {"name": "work", "compute": "20us"},
            {"name": "sum", "collective": {"kind": "allreduce"}, "algorithm": "ring", "after": ["halo", "work"]}]
})json";

/// A topology of 16 hosts.
struct StarterTopology {
  char const* word;  ///< its kind
  char const* text;  ///< its other keys
};
constexpr StarterTopology topologies[] = {
    {"fully_connected", R"("hosts": 16)"},
    {"ring", R"("hosts": 16)"},
    {"torus", R"("dims": [4, 4])"},
    {"mesh", R"("dims": [4, 4])"},
    {"dragonfly", R"("groups": 2, "chassis": 2, "routers": 2, "hosts_per_router": 2)"},
    {"fat_tree", R"("down": [4, 4], "up": [1, 2])"},
};
/// The keys of a machine whose hosts may be several links apart. Without them distance would cost nothing.
constexpr char const* of_distance = R"(, "hop_latency": "100ns", "links": "shared")";

/// Makes the machine of the scenario as JSON text. Throws InputError for a topology that the table lacks.
std::string machine_of(std::string const& topology) {
  std::vector<std::string> words;
  for (StarterTopology const& each : topologies) {
    if (topology == each.word) {
      return fmt::format(R"({{"topology": {{"kind": "{}", {}}}, "latency": "1us", "bandwidth": "10GBps"{}}})", topology,
                         each.text, topology == "fully_connected" ? "" : of_distance);
    }
    words.emplace_back(each.word);
  }
  throw InputError(fmt::format("rondo new --machine: expected one of the topologies {}, got \"{}\"{}",
                               listed(words, ", "), excerpt(topology), did_you_mean(topology, words)));
}

/// Explains the cost of a message on a machine, as part of a comment.
char const* cost_of(std::string const& topology) {
  if (topology == "fully_connected") return "a message of n bytes takes latency + n / bandwidth.";
  return "a message of n bytes over h links takes latency + (h - 1) * hop_latency\n"
         "  // + n / bandwidth, and longer where it shares links; without both keys distance would cost nothing.";
}

/// The source of the program that a scenario of the kind `program` names.
constexpr char const* example_program =
    "// Every rank sends a block to the next one, again and again.\n"
    "#include <mpi.h>\n"
    "#include <stdlib.h>\n"
    R"c(
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int const bytes = argc > 1 ? atoi(argv[1]) : 1024;
  char* const out = calloc(bytes + 1, 1);
  char* const in = calloc(bytes + 1, 1);
  for (int i = 0; i < 10; ++i) {
    MPI_Sendrecv(out, bytes, MPI_BYTE, (rank + 1) % ranks, 0, in, bytes, MPI_BYTE, (rank + ranks - 1) % ranks, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Allreduce(MPI_IN_PLACE, in, 1, MPI_CHAR, MPI_MAX, MPI_COMM_WORLD);
  free(in);
  free(out);
  MPI_Finalize();
  return 0;
}
)c";

/// Makes the text of a schedule in which rank 0 sends its block to all 15 others in one round.
std::string example_schedule() {
  std::vector<std::string> sends;
  std::vector<int> others;
  for (int rank = 1; rank < 16; ++rank) {
    sends.push_back(fmt::format(R"({{"rank": {}, "places": [["send", 0]]}})", rank));
    others.push_back(rank);
  }
  return fmt::format(R"({{
  "format": "rondo-schedule", "format_version": 1,
  "ranks": 16, "block_bytes": 1024,
  "promises": {{"ports": 0}},
  "promise": {{"kind": "bcast", "ranks": 16}},
  "programs": [
    {{"ranks": [0], "buffers": {{"send": {{"slots": 1}}}},
     "rounds": [{{"sends": [
       {}
     ]}}]}},
    {{"ranks": [{}], "buffers": {{"receive": {{"slots": 1}}}},
     "rounds": [{{"receives": [{{"rank": 0, "places": [["receive", 0]]}}]}}]}}
  ]
}}
)",
                     listed(sends, ",\n       "), listed(others, ", "));
}

/// Makes a comment about the file that the scenario names; empty if it names none.
std::string file_comment(std::string const& kind) {
  auto const file = starter_file(kind);
  if (!file) return "";
  return fmt::format(
      "// It names {}, which has to be there: rondo new {} --output FILE writes an example beside FILE.\n", file->first,
      kind);
}

/// Finds the schema of the collectives of a kind.
Json branch_of(std::string const& kind) {
  Json object = Json::object();
  object["kind"] = kind;
  return flat(schema()["properties"]["collective"], &object);
}

/// Makes a collective that has the keys that the kind's schema requires, and those without which program, workload and
/// custom would not run.
Json collective_of(std::string const& kind, Json const& branch) {
  static Json const values = json_of(usual);
  Json collective = Json::object();
  collective["kind"] = kind;
  for (auto const& key : branch["required"]) {
    if (key != "kind" && values.contains(key)) collective[key.get<std::string>()] = values[key.get<std::string>()];
  }
  if (kind == "program") {
    collective["source"] = "program.c";
    collective["arguments"] = Json::array({"{block}"});
  }
  if (kind == "workload") {
    for (char const* key : {"ranks", "steps"}) collective[key] = values[key];
  }
  if (kind == "custom") {
    collective["schedule"] = "schedule.json";
    collective["promise"] = {{"kind", "bcast"}, {"ranks", 16}};
  }
  return collective;
}

/// Tells whether the scenario parses.
bool is_accepted(Json const& document) {
  try {
    parse({1, document, {}}, "");
    return true;
  } catch (InputError const&) {
    return false;
  }
}

/// Makes a comment for a key, with its possible values and its meaning.
std::string comment(std::string const& indent, std::string const& key, Json const& property) {
  return fmt::format("{}// {}: {}; {}\n", indent, key, expectation(property), property.value("description", ""));
}

/// Prints a collective: each of its keys after a comment with its meaning, and then comments on the keys that it may
/// also have.
std::string object_text(Json const& object, Json const& branch) {
  std::vector<std::string> entries;
  std::string others;
  for (auto const& [key, property] : branch["properties"].items()) {
    if (object.contains(key)) {
      std::string const comment_line =
          key == "kind" ? "    // " + branch.value("description", "") + "\n" : comment("    ", key, property);
      entries.push_back(comment_line + fmt::format("    \"{}\": {}", key, object[key].dump()));
    } else {
      others += comment("    ", "\"" + key + "\"", property);
    }
  }
  if (!others.empty()) others = "    // Optional keys:\n" + others;
  return fmt::format("{{\n{}\n{}  }}", listed(entries, ",\n"), others);
}

/// Makes a scenario that sweeps over the algorithms of the kind that accept the problem. Unset if none accepts it with
/// this block; some kinds need a block of 0 bytes.
std::optional<Json> scenario_of(std::string const& kind, Json const& collective, std::string const& machine,
                                char const* block) {
  Json document = Json::object();
  document["machine"] = json_of(machine);
  document["collective"] = collective;
  document["block"] = block;
  Json algorithms = Json::array();
  for (auto const& word : algorithm_names(*value_of<problem::Kind>(kind), collective)) {
    document["algorithm"] = word;
    // The source of a program and the file of a schedule do not exist yet.
    if (kind == "program" || word == "custom" || is_accepted(document)) algorithms.push_back(word);
  }
  if (algorithms.empty()) return std::nullopt;
  document["algorithm"] = algorithms[0];
  document["sweep"] = {{"/algorithm", algorithms}};
  return document;
}

/// Throws InputError for an unknown kind, with a hint or with the list of kinds.
void expect_kind(std::string const& kind) {
  if (value_of<problem::Kind>(kind)) return;
  std::vector<std::string> kinds;
  for (auto const& [value, word] : enum_names<problem::Kind>) kinds.emplace_back(word);
  std::string const meant = did_you_mean(kind, kinds);
  if (!meant.empty()) {
    throw InputError(fmt::format("rondo new: expected a kind of collective, as rondo list names them, got \"{}\"{}",
                                 excerpt(kind), meant));
  }
  throw InputError(fmt::format("rondo new: expected a kind of collective ({}; rondo list says what they are), got {}",
                               listed(kinds, ", "), kind.empty() ? "none" : "\"" + excerpt(kind) + "\""));
}

}  // namespace

std::optional<std::pair<std::string, std::string>> starter_file(std::string const& kind) {
  if (kind == "program") return {{"program.c", example_program}};
  if (kind == "custom") return {{"schedule.json", example_schedule()}};
  return std::nullopt;
}

std::string starter(std::string const& kind, std::string const& topology) {
  expect_kind(kind);
  std::string const machine = machine_of(topology);
  Json const branch = branch_of(kind);
  Json const collective = collective_of(kind, branch);
  auto document = scenario_of(kind, collective, machine, "1KiB");
  if (!document) document = scenario_of(kind, collective, machine, "0B");
  expects(document.has_value(), "a first scenario of each kind");
  return fmt::format(
      R"(// A first scenario of {}. Change it. rondo run FILE runs it, and rondo explain FILE describes it in words.
{}{{
  "schema_version": 1,
  "title": "my first {}",
  // The machine: {} rondo list machine prints all keys of machines.
  "machine": {},
  "collective": {},
  // The algorithm. /sweep replaces it by each algorithm of its list.
  "algorithm": {},
  // m: the bytes of one block
  "block": {},
  // "engine": "native" is Rondo's own, fast simulator. "smpi" (the default) runs an MPI program on SimGrid. Programs need smpi.
  // Each key of a sweep is a place in this file. Its list has the values for this place.
  "sweep": {}
}}
)",
      kind, file_comment(kind), kind, cost_of(topology), machine, object_text(collective, branch),
      (*document)["algorithm"].dump(), (*document)["block"].dump(), (*document)["sweep"].dump());
}

}  // namespace rondo::scenario
