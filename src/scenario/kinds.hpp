#pragma once

// The kinds of collectives: the schema of each, and its reader. Each family has a source; schema.cpp puts the
// schemas together, problem.cpp finds the reader.

#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "problem/enums.hpp"
#include "scenario/key.hpp"
#include "scenario/read.hpp"

namespace rondo {

/// An option has the name of its key.
template <>
inline constexpr auto enum_names<problem::ClassicalOption> = value_names<problem::ClassicalOption>;

}  // namespace rondo

namespace rondo::scenario {

/// A value of /collective/kind: its schema and its reader.
struct CollectiveKind {
  problem::Kind kind;
  Json object;  ///< what kind_schema (key.hpp) makes of its name and keys
  /// Reads the problem from an object that has passed the schema. Throws InputError for errors that a schema cannot
  /// express.
  std::function<Problem(Place const& collective, Setting const& setting)> read;
};

/// A kind whose keys are those of a table; the table is also given to its reader.
template <typename T>
CollectiveKind kind_of_keys(problem::Kind kind, std::string_view description, Table<T> keys,
                            Problem (*read)(problem::Kind kind, Place const& collective, Setting const& setting,
                                            Table<T> const& keys)) {
  Json object = kind_schema(enum_name(kind), description, texts_of(keys));
  return {kind, std::move(object),
          [kind, read, keys = std::move(keys)](Place const& collective, Setting const& setting) {
            return read(kind, collective, setting, keys);
          }};
}

/// The kinds of each family, in the order of `rondo list`.
std::vector<CollectiveKind> isomorphic_kinds();
std::vector<CollectiveKind> intergroup_kinds();
std::vector<CollectiveKind> neighbor_kinds();
std::vector<CollectiveKind> sparse_program_kinds();
std::vector<CollectiveKind> sparse_collective_kinds();
std::vector<CollectiveKind> program_kinds();
std::vector<CollectiveKind> classical_kinds();
std::vector<CollectiveKind> custom_kinds();
std::vector<CollectiveKind> workload_kinds();

/// The families in the order in which they are listed.
inline constexpr std::array all_families = {
    isomorphic_kinds, intergroup_kinds, neighbor_kinds, sparse_program_kinds, sparse_collective_kinds,
    program_kinds,    classical_kinds,  custom_kinds,   workload_kinds};

/// The problem of an object of this kind that has passed the schema.
Problem read_kind(problem::Kind kind, Place const& collective, Setting const& setting);

/// The options of common_neighbors.
Table<problem::CommonNeighbors> const& common_neighbors_keys();

/// The schema of a process graph.
extern char const* const graph_schema;

/// Keys that several families have.
template <typename T>
Key<T> graph_key() {
  return {{"graph", json_of(graph_schema), true}};
}
/// The key of rooted collectives.
template <typename T>
Key<T> root_key() {
  return key("root", &T::root, integer(0, 16777215), "the root's rank");
}
/// Whether the algorithm is read as the paper prints it.
template <typename T>
Key<T> printed_key(std::string_view meaning) {
  return key("printed", &T::reading, flag_of<problem::Reading::repaired, problem::Reading::printed>(), meaning);
}

}  // namespace rondo::scenario
