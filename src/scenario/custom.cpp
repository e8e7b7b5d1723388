// The kind `custom`: a schedule in a file, or several, with the collective that they promise. The schedules' names
// are values of "algorithm", and so are the algorithms that Rondo has for that collective: a sweep compares all of
// them.

#include "scenario/custom.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/file.hpp"
#include "base/suggest.hpp"
#include "scenario/kinds.hpp"
#include "scenario/permitted_input.hpp"
#include "scenario/promise.hpp"
#include "scenario/task_files.hpp"

namespace rondo::scenario {

namespace {

/// The algorithms of the collective that a custom schedule promises, from the JSON of /collective/promise. Empty unless
/// that is an object whose kind a promise can have (is_promised in scenario/promise.hpp). A kind must be a string.
std::vector<std::string> algorithms_of_promise(Json const& promise) {
  bool const has_kind = promise.is_object() && promise.contains("kind") && promise["kind"].is_string();
  auto const kind = has_kind ? value_of<problem::Kind>(promise["kind"].get<std::string>()) : std::nullopt;
  return kind && is_promised(*kind) ? problem::algorithms(*kind) : std::vector<std::string>();
}

}  // namespace

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

namespace {

constexpr char const* custom_kind = R"json({
  "kind": "custom",
  "description": "your own schedule, in a file, with the collective that it promises; algorithms of that collective can be compared with it",
  "properties": {
    "schedule": {"type": "string", "minLength": 1, "title": "the name of a file",
                 "description": "a schedule as JSON (rondo schema schedule), MSCCL XML, GOAL or a Chakra trace, relative to the scenario's folder; as an algorithm it is called custom; give either schedule or schedules"},
    "schedules": {"type": "object", "title": "an object of names with names of files", "minProperties": 1,
                  "additionalProperties": {"type": "string", "minLength": 1, "title": "the name of a file"},
                  "description": "several such files, by their names as algorithms; give either schedule or schedules"},
    "promise": {"type": ["object", "string"], "title": "a promise: an object with \"kind\", or the name of a file",
                "description": "the collective that the schedule promises: an object of another kind, or a list of blocks (rondo schema promise); what the file of the schedule says by default, or a file beside it"},
    "ranks": {"type": "integer", "minimum": 1, "maximum": 16777216, "title": "an integer from 1 to 16777216",
              "description": "the number of ranks of MSCCL XML, GOAL or a trace without a promise"},
    "collectives": {"type": "object", "title": "an object such as {\"allreduce\": \"ring\"}",
                    "additionalProperties": {"type": "string", "title": "an algorithm"},
                    "description": "the algorithms of the collectives in a trace; ring for allreduce, allgather and reduce_scatter, pairwise for alltoall, dissemination for barrier, binomial for all others by default"},
    "checksum": {"type": "string", "minLength": 1, "title": "a checksum such as \"fnv1a:0123456789abcdef\"",
                 "description": "the checksum of the files, one after the other. Files with another checksum are refused. Records contain it."}
  }
})json";

/// The files of schedules, by the names that they have in the place of algorithms.
std::vector<std::pair<std::string, Place>> files_of(Place const& collective) {
  if (collective.has("schedule") == collective.has("schedules")) {
    throw collective.error(fmt::format("expected either \"schedule\" or \"schedules\", got {}",
                                       collective.has("schedule") ? "both" : "none"));
  }
  if (collective.has("schedule")) return {{"custom", collective["schedule"]}};
  std::vector<std::pair<std::string, Place>> files;
  Place const named = collective["schedules"];
  for (auto const& [name, file] : named.value.items())
    files.emplace_back(name, Place{file, named.file, child(named.pointer, name)});
  return files;
}

/// The hint where a built-in algorithm among the scenario's schedules can be found; empty if no promised collective has
/// it.
std::string hint_of_promise(std::string const& algorithm) {
  for (auto const& [kind, word] : enum_names<problem::Kind>) {
    if (!is_promised(kind)) continue;
    std::vector<std::string> const promised_algorithms = problem::algorithms(kind);
    if (std::ranges::find(promised_algorithms, algorithm) == promised_algorithms.end()) continue;
    return "; algorithms of the promised collective need its \"promise\" in /collective, also if the file of the "
           "schedule states it";
  }
  return "";
}

/// The algorithm of the promised collective that a scenario names among its own schedules.
Problem built_in(Place const& promise, Setting const& setting) {
  Json const collective = without_common_keys(promise.value);
  Place const place{collective, promise.file, promise.pointer};
  Setting const whole{setting.root, setting.algorithm, setting.block, promise.value.value("seed", setting.seed),
                      setting.machine};
  return read_kind(known_value<problem::Kind>(place["kind"].text()), place, whole);
}

/// The promise in the scenario, or the one that belongs to the file at `path`, which `file` names; unset if tasks have
/// no promise.
std::optional<problem::Promise> promise_for(Place const& collective, Place const& file, std::string const& path,
                                            PromiseSetting const& setting) {
  if (collective.has("promise") && collective.has("ranks")) {
    throw collective["ranks"].error("expected no \"ranks\" beside \"promise\", which has its own, got " +
                                    shown(collective["ranks"].value));
  }
  if (collective.has("promise")) return read_promise(collective["promise"], setting);
  if (!task_format(path)) {
    if (!collective.has("ranks")) return file.checked([&] { return load_promise(path, setting); });
    throw collective["ranks"].error("expected no \"ranks\" for schedule JSON, which has its own, got " +
                                    shown(collective["ranks"].value));
  }
  if (collective.has("ranks")) return std::nullopt;
  std::error_code ignored;
  if (std::filesystem::exists(promise_beside(path), ignored)) {
    return file.checked([&] { return load_promise(promise_beside(path), setting); });
  }
  throw collective.error(
      fmt::format("expected \"promise\", a file {} beside {}, or \"ranks\" where nothing is "
                  "promised, got none",
                  std::filesystem::path(promise_beside(path)).filename().string(),
                  std::filesystem::path(path).filename().string()));
}

/// Refuses a file that does not exist, with the nearest name as a hint. The Python module has schedules in memory.
void expect_schedule(Place const& file, std::string const& path) {
  std::error_code ignored;
  if (file.value == problem::schedule_in_memory || std::filesystem::exists(path, ignored)) return;
  throw file.error(fmt::format("expected the name of a file that holds a schedule, got {}: no such file{}",
                               shown(file.value), nearest_file(path)));
}

/// The algorithms for the collectives in a Chakra trace, which names the collectives and not their messages.
problem::CollectiveAlgorithms read_collectives(Place const& collectives, std::string const& path) {
  if (task_format(path) != TaskFormat::chakra) {
    throw collectives.error("expected no \"collectives\", because the file is not a Chakra trace, got " +
                            shown(collectives.value));
  }
  problem::CollectiveAlgorithms algorithms;
  for (auto const& [name, word] : collectives.value.items()) {
    Place const place{word, collectives.file, child(collectives.pointer, name)};
    auto const kind = value_of<problem::Kind>(name);
    auto const collective = kind ? problem::classical_collective(*kind) : std::nullopt;
    if (!collective) throw place.error(fmt::format("expected a collective on all ranks, got \"{}\"", excerpt(name)));
    auto const choices = problem::algorithms(*kind);
    if (std::ranges::find(choices, place.text()) == choices.end()) {
      throw place.error(fmt::format("expected one of {}, got {}{}", quoted(choices), shown(word),
                                    did_you_mean(place.text(), choices)));
    }
    algorithms[*collective] = known_value<problem::ClassicalAlgorithm>(place.text());
  }
  return algorithms;
}

/// The problem for one of the scenario's own schedules. The file itself is read later, by run/families/custom.cpp.
problem::Custom read_own(Place const& collective, std::string const& name, Place const& file, Setting const& setting) {
  std::string const path = named_file(file);
  expect_schedule(file, path);
  note_inputs(files_of_tasks(path));
  auto promise = promise_for(collective, file, path, {setting.block, setting.seed, setting.machine});
  int const p = promise ? ranks(*promise) : collective["ranks"].integer();
  problem::Custom problem{path, name, std::move(promise), p};
  if (setting.root.has("block")) problem.block = setting.block;
  if (collective.has("collectives")) problem.collectives = read_collectives(collective["collectives"], path);
  return problem;
}

/// Finds the problem by the value of "algorithm": one of the schedules, or an algorithm of Rondo's for the promise.
Problem read_custom(Place const& collective, Setting const& setting) {
  auto const files = files_of(collective);
  std::string const word = setting.algorithm.empty() && files.size() == 1 ? files.front().first : setting.algorithm;
  auto const named_file = std::ranges::find(files, word, [](auto const& each) { return each.first; });
  if (named_file != files.end()) return read_own(collective, word, named_file->second, setting);
  std::vector<std::string> names;
  for (auto const& [name, file] : files) names.push_back(name);
  if (collective.has("promise")) {
    Place const promise = collective["promise"];
    std::vector<std::string> const more = algorithms_of_promise(promise.value);
    if (std::ranges::find(more, word) != more.end()) {
      read_promise(promise, {setting.block, setting.seed, setting.machine});  // refuses what is wrong with it
      return built_in(promise, setting);
    }
    names.insert(names.end(), more.begin(), more.end());
  }
  throw error_at(setting.root.file, "/algorithm",
                 fmt::format("expected one of {}, got \"{}\"{}{}", quoted(names), excerpt(word),
                             did_you_mean(word, names), collective.has("promise") ? "" : hint_of_promise(word)));
}

}  // namespace

std::vector<CollectiveKind> custom_kinds() { return {{problem::Kind::custom, json_of(custom_kind), read_custom}}; }

}  // namespace rondo::scenario
