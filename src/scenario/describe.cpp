// Prints the schema for people: `rondo list` and `rondo explain KEY`. All texts come from the schema's own titles and
// descriptions, so a key cannot be documented differently here.

#include "scenario/describe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/suggest.hpp"
#include "base/text.hpp"
#include "scenario/sub_schema.hpp"

namespace rondo::scenario {
namespace {

/// The part of a tagged schema for one of its kinds.
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

/// One line for each key but `kind`: its name, whether it is optional, which value is expected, and its meaning.
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

/// The keys that a topology with distances needs; without them distance costs nothing on it.
std::string cost_of_distance(std::string const& kind) {
  bool const has_neighbors = kind == "ring" || kind == "torus" || kind == "mesh";
  if (kind == "fully_connected" || kind == "file") return "";
  return fmt::format(
      "    costs what fully_connected does, unless the machine says \"hop_latency\" or \"links\": \"shared\"{}\n",
      has_neighbors ? "; \"neighbors_only\": true refuses what goes past a neighbor" : "");
}

/// One kind of a tagged schema with its parameters.
std::string kind_text(Json const& tagged, std::string const& kind) {
  Json const schema = branch(tagged, kind);
  return fmt::format("  {}: {}\n{}{}", kind, schema.value("description", ""), parameters(schema),
                     cost_of_distance(kind));
}

std::vector<std::string> listed_kinds(Json const& tagged) {
  return tagged["properties"]["kind"]["enum"].get<std::vector<std::string>>();
}

/// The parts of the schema that have kinds, with their headings, in the order of the page.
std::vector<std::pair<std::string, Json>> tagged_objects() {
  Json const& properties = schema()["properties"];
  Json const& collective = properties["collective"];
  return {{"collectives", collective},
          {"neighborhoods", branch(collective, "isomorphic_alltoall")["properties"]["neighborhood"]},
          {"graphs", branch(collective, "neighbor_allgather")["properties"]["graph"]},
          {"patterns", branch(collective, "sparse_exchange")["properties"]["pattern"]},
          {"topologies", properties["machine"]["properties"]["topology"]},
          {"islands", properties["machine"]["properties"]["island"]},
          {"noises", properties["machine"]["properties"]["noise"]["properties"]["cpu"]},
          {"arrivals", properties["arrival"]}};
}

std::string algorithms_of(problem::Kind kind, std::string_view word) {
  return fmt::format("  {}: {}\n", word, listed(problem::algorithms(kind), ", "));
}

std::string all_algorithms() {
  std::string lines = "algorithms\n";
  for (auto const& [kind, word] : enum_names<problem::Kind>) lines += algorithms_of(kind, word);
  return lines;
}

std::vector<std::string> headings() {
  return {"collectives", "algorithms", "neighborhoods", "graphs",   "patterns",
          "topologies",  "islands",    "noises",        "arrivals", "machine"};
}

/// A part of the page, by its heading.
std::string section(std::string const& heading) {
  if (heading == "algorithms") return all_algorithms();
  std::string page = heading + "\n";
  if (heading == "machine") return page + parameters(schema()["properties"]["machine"]);
  for (auto const& [name, tagged] : tagged_objects()) {
    if (name != heading) continue;
    for (auto const& kind : listed_kinds(tagged)) page += kind_text(tagged, kind);
  }
  return page;
}

/// Calls use(place, key, property) for each property of a schema at `place` or below.
template <typename Use>
void each_property(Json const& part, std::string const& place, Use const& use) {
  if (!part.is_object()) return;
  Json const properties = part.value("properties", Json::object());
  for (auto const& [key, property] : properties.items()) {
    use(place + "/" + key, key, property);
    each_property(property, place + "/" + key, use);
  }
  if (part.contains("items")) each_property(part["items"], place + "/*", use);
  Json const branches = part.value("allOf", Json::array());
  for (Json const& branch : branches) {
    each_property(branch, place, use);
    if (branch.contains("then")) each_property(branch["then"], place, use);
  }
}

}  // namespace

/// One line for each place that has a key of this name, or for the one place if a pointer is given.
std::string explain_key(std::string const& key) {
  std::set<std::string> lines;
  each_property(schema(), "", [&](std::string const& place, std::string const& name, Json const& property) {
    if ((name != key && place != key) || !property.contains("description")) return;
    lines.insert(fmt::format("{}: {}; {}", place, expectation(property), property["description"].get<std::string>()));
  });
  return lines.empty() ? "" : fmt::format("{}\n", listed(lines, "\n"));
}

std::vector<std::string> all_keys() {
  std::set<std::string> keys;
  each_property(schema(), "", [&](auto const&, std::string const& name, Json const& property) {
    if (property.contains("description")) keys.insert(name);
  });
  return {keys.begin(), keys.end()};
}

std::vector<std::string> all_kinds() {
  std::vector<std::string> all;
  for (auto const& [heading, tagged] : tagged_objects()) {
    auto const kinds = listed_kinds(tagged);
    all.insert(all.end(), kinds.begin(), kinds.end());
  }
  return all;
}

std::string explain_kind(std::string const& word) {
  auto const kinds = all_kinds();
  return std::ranges::find(kinds, word) == kinds.end() ? "" : describe(word);
}

std::string explain_algorithm(std::string const& word) {
  std::vector<std::string_view> kinds;
  for (auto const& [kind, name] : enum_names<problem::Kind>) {
    auto const algorithms = problem::algorithms(kind);
    if (std::ranges::find(algorithms, word) != algorithms.end()) kinds.push_back(name);
  }
  if (kinds.empty()) return "";
  return fmt::format("{}: an algorithm of {}; docs/algorithms.md says what each does\n", word, listed(kinds, ", "));
}

std::string describe() {
  std::string page;
  for (std::string const& heading : headings()) page += section(heading);
  return page;
}

/// A section of the list, or all objects with this value of `kind`. Throws InputError for another name, with a hint.
std::string describe(std::string const& word) {
  std::vector<std::string> headings_and_kinds = headings();
  if (std::ranges::find(headings_and_kinds, word) != headings_and_kinds.end()) return section(word);
  std::string page;
  for (auto const& [heading, tagged] : tagged_objects()) {
    auto const kinds = listed_kinds(tagged);
    headings_and_kinds.insert(headings_and_kinds.end(), kinds.begin(), kinds.end());
    if (std::ranges::find(kinds, word) == kinds.end()) continue;
    page += heading + "\n" + kind_text(tagged, word);
    if (heading == "collectives") page += "algorithms\n" + algorithms_of(*value_of<problem::Kind>(word), word);
  }
  if (!page.empty()) return page;
  throw InputError(
      fmt::format("rondo list: expected \"fields\", a part ({}) or a kind that a scenario knows, got \"{}\"{}",
                  listed(headings(), ", "), excerpt(word), did_you_mean(word, headings_and_kinds)));
}

}  // namespace rondo::scenario
