// Lists the names of algorithms. Those of the kind `custom` depend on the scenario's schedules and promise.

#include "scenario/algorithm_names.hpp"

#include <optional>

#include "scenario/promise.hpp"

namespace rondo::scenario {

std::vector<std::string> algorithms_of_promise(Json const& promise) {
  bool const has_kind = promise.is_object() && promise.contains("kind") && promise["kind"].is_string();
  auto const kind = has_kind ? value_of<problem::Kind>(promise["kind"].get<std::string>()) : std::nullopt;
  return kind && is_promised(*kind) ? problem::algorithms(*kind) : std::vector<std::string>();
}

std::vector<std::string> algorithm_names(problem::Kind kind, Json const& collective) {
  if (kind != problem::Kind::custom) return problem::algorithms(kind);
  std::vector<std::string> words;
  if (collective.contains("schedule")) words.emplace_back("custom");
  if (collective.contains("schedules") && collective["schedules"].is_object()) {
    for (auto const& [name, file] : collective["schedules"].items()) words.push_back(name);
  }
  if (collective.contains("promise")) {
    for (std::string const& word : algorithms_of_promise(collective["promise"])) words.push_back(word);
  }
  return words;
}

}  // namespace rondo::scenario
