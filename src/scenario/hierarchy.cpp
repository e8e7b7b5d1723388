// The key `hierarchy`: levels of groups of ranks, with an algorithm for each phase of each level. "host" takes the
// groups from the machine's placement of ranks.

#include "scenario/hierarchy.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/suggest.hpp"
#include "json/pointer.hpp"

namespace rondo::scenario {

char const* const hierarchy_schema = R"json({
"type": "object",
"title": "an object such as {\"groups\": \"host\", \"intra\": \"binomial\", \"inter\": \"ring\"}",
"description": "required by hierarchical: the groups of ranks, and the algorithms of the collectives that are combined",
"required": ["groups", "intra", "inter"],
"additionalProperties": false,
"properties": {
  "groups": {"type": ["string", "array"], "title": "\"host\" or a list of sizes, from the inside out",
             "allOf": [{"if": {"type": "string"}, "then": {"enum": ["host"]}}],
             "minItems": 1, "maxItems": 16,
             "items": {"type": "integer", "minimum": 1, "maximum": 16777216},
             "description": "the ranks of each host, for any placement, or sizes: [4, 16] makes groups of 4 ranks, and a next level of 16 such groups; the last groups may be smaller"},
  "intra": {"type": ["string", "object", "array"],
            "title": "an algorithm, an object of algorithms by phase, or a list of these",
            "minItems": 1, "maxItems": 17,
            "items": {"type": ["string", "object"], "title": "an algorithm or an object of algorithms by phase",
                      "additionalProperties": {"type": "string"}},
            "additionalProperties": {"type": "string"},
            "description": "the algorithm of all phases within a group, or of each phase (reduce, bcast, reduce_scatter, allgather, gather, scatter, alltoall); a list has an entry for each level, from the inside out"},
  "inter": {"type": ["string", "object", "array"],
            "title": "an algorithm, an object of algorithms by phase, or a list of these",
            "minItems": 1, "maxItems": 17,
            "items": {"type": ["string", "object"], "title": "an algorithm or an object of algorithms by phase",
                      "additionalProperties": {"type": "string"}},
            "additionalProperties": {"type": "string"},
            "description": "the algorithm of the collective between the groups, or of two phases that replace it, such as reduce_scatter and allgather; a list has an entry for each level that intra does not cover"},
  "lanes": {"type": ["integer", "string"], "title": "a number of lanes from 1 or \"all\"",
            "allOf": [{"if": {"type": "string"}, "then": {"enum": ["all"]}}],
            "minimum": 1, "maximum": 16777216,
            "description": "how many ranks of a group communicate with other groups, each with a part of the data; all: as many as the smallest group has; 1 by default"},
  "segment": {"type": "string", "title": "a string with a unit such as \"64KiB\"",
              "description": "for bcast, reduce and allreduce: the bytes of a segment of the vector. The levels work on different segments at the same time; the whole vector by default"}
}
})json";

namespace {

problem::ClassicalAlgorithm read_algorithm(Place const& word) {
  auto const found = value_of<problem::ClassicalAlgorithm>(word.text());
  if (found) return *found;
  throw word.error(fmt::format("expected the name of an algorithm such as \"binomial\", got {}{}", shown(word.value),
                               did_you_mean(word.text(), all_enum_names<problem::ClassicalAlgorithm>())));
}

/// The collective of a phase, by its name as a kind.
ClassicalCollective read_phase(Place const& phase, std::string const& name) {
  std::vector<std::string> phases;
  for (auto const collective :
       {ClassicalCollective::reduce, ClassicalCollective::bcast, ClassicalCollective::reduce_scatter,
        ClassicalCollective::allgather, ClassicalCollective::gather, ClassicalCollective::scatter,
        ClassicalCollective::alltoall, ClassicalCollective::allreduce, ClassicalCollective::barrier}) {
    phases.push_back(enum_name(problem::kind_of(collective)));
    if (phases.back() == name) return collective;
  }
  throw phase.error(
      fmt::format("expected phases of {}, got \"{}\"{}", quoted(phases), excerpt(name), did_you_mean(name, phases)));
}

/// The algorithms of a level: one for all phases, or one for each phase that is named.
problem::PhaseAlgorithms read_level(Place const& level, std::string place) {
  problem::PhaseAlgorithms result;
  result.place = std::move(place);
  if (level.value.is_string()) {
    result.default_algorithm = read_algorithm(level);
    return result;
  }
  for (auto const& [name, word] : level.value.items()) {
    result.exceptions.emplace_back(read_phase(level, name), read_algorithm(level[name.c_str()]));
  }
  return result;
}

/// The levels in `key`: one for each entry of a list; otherwise the same one `times` times.
void read_levels(std::vector<problem::PhaseAlgorithms>& levels, Place const& hierarchy, char const* key,
                 std::size_t times) {
  Place const stated = hierarchy[key];
  if (!stated.value.is_array()) {
    for (std::size_t i = 0; i < times; ++i) levels.push_back(read_level(stated, fmt::format("/{}", key)));
    return;
  }
  for (std::size_t i = 0; i < stated.value.size(); ++i) {
    levels.push_back(read_level(stated.item(static_cast<int>(i)), fmt::format("/{}/{}", key, i)));
  }
}

}  // namespace

std::vector<int> host_of_each(Platform const& machine, int ranks_needed) {
  // Whether the machine carries so many ranks is checked elsewhere.
  std::int64_t const ranks_of_machine = ranks(machine);
  std::vector<int> hosts(static_cast<std::size_t>(ranks_needed), 0);
  for (int r = 0; r < ranks_needed && (ranks_of_machine == 0 || r < ranks_of_machine); ++r) {
    hosts[static_cast<std::size_t>(r)] = host_of(machine, Rank(r));
  }
  return hosts;
}

/// "intra" is for the levels inside groups, from the inside out, and "inter" for the last.
problem::Hierarchy read_hierarchy(Place const& hierarchy, int ranks, Platform const& machine) {
  problem::Hierarchy result;
  Place const groups = hierarchy["groups"];
  if (groups.value.is_array()) {
    result.sizes = groups.integers();
  } else {
    result.group_of = host_of_each(machine, ranks);
  }
  std::size_t const levels = groups.value.is_array() ? result.sizes.size() : 1;
  // One word for the groups applies to all levels of groups, unless a list states those of the outer ones.
  std::size_t const outer = hierarchy.value["inter"].is_array() ? hierarchy.value["inter"].size() : 1;
  read_levels(result.levels, hierarchy, "intra", levels + 1 > outer ? levels + 1 - outer : 1);
  read_levels(result.levels, hierarchy, "inter", 1);
  if (hierarchy.has("lanes")) {
    Place const lanes = hierarchy["lanes"];
    result.lanes = lanes.value.is_string() ? 0 : lanes.integer();
  }
  if (hierarchy.has("segment")) result.segment = hierarchy["segment"].size();
  return result;
}

namespace {

/// The only word, or an object with a word for each phase.
Json level_json(problem::PhaseAlgorithms const& level) {
  if (level.exceptions.empty()) return enum_name(level.default_algorithm.value());
  Json object = Json::object();
  for (auto const& [collective, algorithm] : level.exceptions) {
    object[enum_name(problem::kind_of(collective))] = enum_name(algorithm);
  }
  return object;
}

}  // namespace

Json hierarchy_json(problem::Hierarchy const& hierarchy) {
  Json json;
  json["groups"] = hierarchy.sizes.empty() ? Json("host") : Json(hierarchy.sizes);
  Json inner = Json::array();
  for (std::size_t i = 0; i + 1 < hierarchy.levels.size(); ++i) inner.push_back(level_json(hierarchy.levels[i]));
  json["intra"] = inner.size() == 1 ? inner[0] : inner;
  json["inter"] = level_json(hierarchy.levels.back());
  if (hierarchy.lanes == 0) {
    json["lanes"] = "all";
  } else {
    json["lanes"] = hierarchy.lanes;
  }
  if (hierarchy.segment > Bytes(0)) json["segment"] = print(hierarchy.segment);
  return json;
}

void check_hierarchy(Place const& hierarchy, problem::Classical const& problem) {
  try {
    expect_ranks_fit(problem);
  } catch (problem::HierarchyError const& refused) {
    throw error_at(hierarchy.file, hierarchy.pointer + refused.place(), refused.what());
  }
}

}  // namespace rondo::scenario
