#pragma once

// Reading typed values off a document that has passed the schema.

#include <string>
#include <string_view>
#include <vector>

#include "scenario/pointer.hpp"
#include "scenario/scenario.hpp"

namespace rondo::scenario {

/// A value and its place in the file.
struct Place {
  Json const& value;
  std::string const& file;
  std::string pointer;

  bool has(char const* key) const { return value.contains(key); }
  Place operator[](char const* key) const { return {value[key], file, child(pointer, key)}; }
  std::string text() const { return value.get<std::string>(); }
  int integer() const { return value.get<int>(); }
  std::vector<int> integers() const { return value.get<std::vector<int>>(); }
  InputError error(std::string_view what) const { return error_at(file, pointer, what); }

  /// The result of `read`, whose InputErrors get this place.
  template <typename Read>
  auto checked(Read read) const {
    try {
      return read();
    } catch (InputError const& refused) {
      throw error(refused.what());
    }
  }
  /// A string with a unit, as one of the parsers of base/units.hpp reads it.
  template <typename Quantity>
  Quantity unit(Quantity (*parse_unit)(std::string_view)) const {
    return checked([&] { return parse_unit(value.get_ref<std::string const&>()); });
  }
  /// As unit(), of the member `key`; `absent` where there is none.
  template <typename Quantity>
  Quantity unit(char const* key, Quantity (*parse_unit)(std::string_view), Quantity absent) const {
    return has(key) ? (*this)[key].unit(parse_unit) : absent;
  }
};

/// The torus of a list of extents.
Torus read_torus(Place const& extents);
IsomorphicAlltoallProblem read_isomorphic_alltoall(Place const& collective, Place const& algorithm);
IsomorphicAllgatherProblem read_isomorphic_allgather(Place const& collective, Place const& algorithm);
SparseExchangeProblem read_sparse_exchange(Place const& collective, Place const& algorithm);
IndependentSetProblem read_independent_set(Place const& collective, Place const& algorithm);
ColoringProblem read_coloring(Place const& collective, Place const& algorithm);
BisectionProblem read_bisection(Place const& collective, Place const& algorithm);
/// `hosted`: the ranks that the machine carries, 0 where nobody knows; `root` is the scenario.
ProgramProblem read_program(Place const& root, std::int64_t hosted);
GraphSource read_graph_source(Place const& graph);
/// /collective/block_sizes; how many there must be is for the caller to check.
NeighborSizes read_block_sizes(Place const& collective);
Platform read_machine(Place const& machine);
/// `root` is the scenario, on this machine.
Problem read_problem(Place const& root, Platform const& machine);

}  // namespace rondo::scenario
