#pragma once

// The kinds of collectives: what a scenario says of each, and how it is read. A file a family; schema.cpp puts the
// schemas together, problem.cpp finds the reader.

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "problem/words.hpp"
#include "scenario/read.hpp"

namespace rondo::scenario {

/// Keys and their schemas.
using Keys = std::vector<std::pair<char const*, char const*>>;

struct CollectiveKind {
  problem::Kind kind;
  /// The schema of the object that describes it, but for the key `kind`, which schema.cpp adds as the first: its
  /// description, the keys that it must have, and the schemas of keys that no other kind has.
  std::string branch;
  /// Keys whose schemas several kinds share, and those schemas.
  Keys shared;
  /// The problem of an object that has passed the schema. Throws InputError for what a schema cannot say.
  Problem (*read)(problem::Kind kind, Place const& collective, Setting const& setting);
};

/// The branch of a kind that shares all of its keys; `required` is a list in JSON.
inline std::string branch_text(std::string const& description, std::string const& required) {
  return R"({"description": ")" + description + R"(", "required": )" + required + "}";
}

std::vector<CollectiveKind> isomorphic_kinds();
std::vector<CollectiveKind> intergroup_kinds();
std::vector<CollectiveKind> neighbor_kinds();
std::vector<CollectiveKind> sparse_program_kinds();
std::vector<CollectiveKind> sparse_collective_kinds();
std::vector<CollectiveKind> program_kinds();
std::vector<CollectiveKind> classical_kinds();
std::vector<CollectiveKind> custom_kinds();
std::vector<CollectiveKind> workload_kinds();

/// In the order in which they are listed.
inline constexpr std::array all_families = {
    isomorphic_kinds, intergroup_kinds, neighbor_kinds, sparse_program_kinds, sparse_collective_kinds,
    program_kinds,    classical_kinds,  custom_kinds,   workload_kinds};

/// The problem of an object of this kind that has passed the schema.
Problem read_kind(problem::Kind kind, Place const& collective, Setting const& setting);

/// The options of common_neighbors.
Keys common_neighbors_keys();
problem::CommonNeighbors read_common_neighbors(Place const& collective);

/// The schemas of a root and of a process graph, which several families have, and of the machine.
inline constexpr char const* root_schema = R"json({
"type": "integer", "minimum": 0, "maximum": 16777215, "description": "the root's rank; 0 by default"
})json";
extern char const* const graph_schema;
extern char const* const machine_schema;

}  // namespace rondo::scenario
