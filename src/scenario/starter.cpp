#include "scenario/starter.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "base/suggest.hpp"
#include "problem/words.hpp"
#include "scenario/custom.hpp"
#include "scenario/scenario.hpp"
#include "scenario/sub_schema.hpp"

namespace rondo::scenario {
namespace {

/// What most kinds need: keys with values that go together on 16 ranks. A kind takes those that its schema requires.
constexpr char const* usual = R"json({
  "ranks": 16,
  "torus": [4, 4],
  "neighborhood": {"kind": "moore", "radius": 1},
  "senders": 8,
  "receivers": 8,
  "graph": {"kind": "moore", "torus": [4, 4], "radius": 1},
  "pattern": {"kind": "random", "ranks": 16, "targets": 4},
  "points": 1000
})json";
constexpr char const* usual_machine =
    R"json({"topology": {"kind": "fully_connected", "hosts": 16}, "latency": "1us", "bandwidth": "10GBps"})json";

Json branch_of(std::string const& kind) {
  Json object = Json::object();
  object["kind"] = kind;
  return flat(schema()["properties"]["collective"], &object);
}

/// The smallest object that the kind's schema accepts.
Json collective_of(std::string const& kind, Json const& branch) {
  static Json const values = Json::parse(usual);
  Json collective = Json::object();
  collective["kind"] = kind;
  for (auto const& key : branch["required"]) {
    if (key != "kind" && values.contains(key)) collective[key.get<std::string>()] = values[key.get<std::string>()];
  }
  if (kind == "program") collective["source"] = "program.c";
  if (kind == "custom") {
    collective["schedule"] = "schedule.json";
    collective["promise"] = {{"kind", "allreduce"}, {"ranks", 16}};
  }
  return collective;
}

bool is_accepted(Json const& document) {
  try {
    parse({1, document, {}}, "");
    return true;
  } catch (InputError const&) {
    return false;
  }
}

/// A line of comment for a key, with what it may be.
std::string comment(std::string const& indent, std::string const& key, Json const& property) {
  return fmt::format("{}// {}: {}; {}\n", indent, key, expectation(property), property.value("description", ""));
}

/// The object of a kind: each key that it has behind what it means, then the keys that it may have.
std::string object_text(Json const& object, Json const& branch) {
  std::vector<std::string> entries;
  std::string others;
  for (auto const& [key, property] : branch["properties"].items()) {
    if (object.contains(key)) {
      std::string const said =
          key == "kind" ? "    // " + branch.value("description", "") + "\n" : comment("    ", key, property);
      entries.push_back(said + fmt::format("    \"{}\": {}", key, object[key].dump()));
    } else {
      others += comment("    ", "\"" + key + "\"", property);
    }
  }
  if (!others.empty()) others = "    // Besides, where they are wanted:\n" + others;
  return fmt::format("{{\n{}\n{}  }}", fmt::join(entries, ",\n"), others);
}

/// The scenario with its algorithms, those of the kind that take such a problem.
std::optional<Json> scenario_of(std::string const& kind, Json const& collective, char const* block) {
  Json document = Json::object();
  document["machine"] = Json::parse(usual_machine);
  document["collective"] = collective;
  document["block"] = block;
  Json algorithms = Json::array();
  for (auto const& word :
       kind == "custom" ? custom_algorithms(collective) : problem::algorithms(*value_of<problem::Kind>(kind))) {
    document["algorithm"] = word;
    // The source of a program is not there yet.
    if (kind == "program" || is_accepted(document)) algorithms.push_back(word);
  }
  if (algorithms.empty()) return std::nullopt;
  document["algorithm"] = algorithms[0];
  document["sweep"] = {{"/algorithm", algorithms}};
  return document;
}

void expect_kind(std::string const& kind) {
  if (value_of<problem::Kind>(kind)) return;
  std::vector<std::string> known;
  for (auto const& [value, word] : words<problem::Kind>) known.emplace_back(word);
  throw InputError(fmt::format("rondo new: expected a kind of collective, as rondo list names them, got \"{}\"{}",
                               excerpt(kind), did_you_mean(kind, known)));
}

}  // namespace

std::string starter(std::string const& kind) {
  expect_kind(kind);
  Json const branch = branch_of(kind);
  Json const collective = collective_of(kind, branch);
  auto document = scenario_of(kind, collective, "1KiB");
  if (!document) document = scenario_of(kind, collective, "0B");
  expects(document.has_value(), "a first scenario of each kind");
  return fmt::format(
      R"(// A scenario of {}, to be changed: rondo run FILE runs it, rondo explain FILE says what it will do.
{{
  "schema_version": 1,
  "title": "my first {}",
  // The machine: a message of n bytes takes latency + n / bandwidth. rondo list machine prints what else it may say.
  "machine": {},
  "collective": {},
  // How it is done; /sweep runs it by each of these in turn.
  "algorithm": {},
  // m: the bytes of one block
  "block": {},
  // "engine": "native" is Rondo's own and fast; "smpi" runs a real MPI program on SimGrid. Programs need smpi.
  // Each key of a sweep is a place in this file, each list the values that it takes there in turn.
  "sweep": {}
}}
)",
      kind, kind, usual_machine, object_text(collective, branch), (*document)["algorithm"].dump(),
      (*document)["block"].dump(), (*document)["sweep"].dump());
}

}  // namespace rondo::scenario
