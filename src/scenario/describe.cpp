#include <fmt/format.h>

#include "scenario/sub_schema.hpp"

namespace rondo::scenario {
namespace {

/// The branch of a tagged schema for one of its kinds.
Json branch(Json const& tagged, std::string const& kind) {
  Json object = Json::object();
  object["kind"] = kind;
  return flat(tagged, &object);
}

bool is_required(Json const& schema, std::string const& key) {
  for (Json const& name : schema.value("required", Json::array())) {
    if (name == key) return true;
  }
  return false;
}

/// One line for each key but `kind`: its name, whether it may be left out, what is expected, its meaning.
std::string parameters(Json const& schema) {
  std::string lines;
  for (auto const& [key, property] : schema["properties"].items()) {
    if (key == "kind") continue;
    std::string const meaning = property.value("description", "");
    lines += fmt::format("    {}{}: {}{}{}\n", key, is_required(schema, key) ? "" : " (optional)",
                         expectation(property), meaning.empty() ? "" : "; ", meaning);
  }
  return lines;
}

/// Every kind of a tagged schema with its parameters.
std::string kinds(std::string const& heading, Json const& tagged) {
  std::string lines = heading + "\n";
  for (Json const& word : tagged["properties"]["kind"]["enum"]) {
    auto const kind = word.get<std::string>();
    Json const schema = branch(tagged, kind);
    lines += fmt::format("  {}: {}\n{}", kind, schema.value("description", ""), parameters(schema));
  }
  return lines;
}

/// The algorithms of each collective.
std::string all_algorithms() {
  std::string lines = "algorithms\n";
  for (auto const& [kind, word] : words<problem::Kind>) {
    lines += fmt::format("  {}: {}\n", word, fmt::join(problem::algorithms(kind), ", "));
  }
  return lines;
}

}  // namespace

std::string describe() {
  Json const& properties = schema()["properties"];
  Json const& collective = properties["collective"];
  Json const neighborhood = branch(collective, "isomorphic_alltoall")["properties"]["neighborhood"];
  Json const graph = branch(collective, "neighbor_allgather")["properties"]["graph"];
  Json const& machine = properties["machine"];
  return kinds("collectives", collective) + all_algorithms() + kinds("neighborhoods", neighborhood) +
         kinds("graphs", graph) + kinds("patterns", branch(collective, "sparse_exchange")["properties"]["pattern"]) +
         kinds("topologies", machine["properties"]["topology"]) + "machine\n" + parameters(machine);
}

}  // namespace rondo::scenario
