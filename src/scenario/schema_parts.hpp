#pragma once

// The parts of the schema, as text; schema.cpp puts them together.

#include <utility>
#include <vector>

#include "problem/words.hpp"

namespace rondo::scenario {

/// A kind of collective and its branch: the object that describes it, but for the key `kind`, which schema.cpp adds as
/// the first.
struct KindSchema {
  problem::Kind kind;
  char const* branch;
  /// Keys whose schemas several kinds share, and those schemas.
  std::vector<std::pair<char const*, char const*>> shared;
};

extern char const* const machine_schema;
extern char const* const graph_schema;
std::vector<KindSchema> isomorphic_schemas();
std::vector<KindSchema> intergroup_schemas();
std::vector<KindSchema> neighbor_schemas();
std::vector<KindSchema> sparse_schemas();
std::vector<KindSchema> sparse_collective_schemas();
std::vector<KindSchema> program_schemas();

}  // namespace rondo::scenario
