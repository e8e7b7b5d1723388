#pragma once

// Reads typed values from a document that has passed the schema, which has checked types and ranges. A Place is a
// value with its JSON pointer, so that every further error names the place.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "json/pointer.hpp"
#include "problem/problem.hpp"
#include "scenario/scenario.hpp"

namespace rondo::scenario {

/// A value with its place in the file.
struct Place {
  Json const& value;
  std::string const& file;
  std::string pointer;

  bool has(char const* key) const { return value.contains(key); }
  /// The member with this key, and the entry i of a list. They must exist.
  Place operator[](char const* key) const { return {value[key], file, child(pointer, key)}; }
  Place item(int i) const { return {value[static_cast<std::size_t>(i)], file, child(pointer, std::to_string(i))}; }
  /// The value as this type, which the schema must have checked.
  std::string text() const { return value.get<std::string>(); }
  int integer() const { return value.get<int>(); }
  std::vector<int> integers() const { return value.get<std::vector<int>>(); }
  /// The error "FILE: POINTER: what", to be thrown.
  PlacedError error(std::string_view what) const { return error_at(file, pointer, what); }

  /// Calls `read`, and adds this place to its InputErrors.
  template <typename Read>
  auto checked(Read read) const {
    try {
      return read();
    } catch (InputError const& refused) {
      throw error(refused.what());
    }
  }
  /// A string with a unit, read by one of the parsers of base/units.hpp.
  template <typename Quantity>
  Quantity unit(Quantity (*parse_unit)(std::string_view)) const {
    return checked([&] { return parse_unit(value.get_ref<std::string const&>()); });
  }
  /// A size that is small enough for all further arithmetic: at most largest_size (base/units.hpp).
  Bytes size() const {
    Bytes const size = unit(parse_bytes);
    if (size <= largest_size) return size;
    throw error("expected a size of at most 1TiB, got " + shown(value));
  }
  /// The quantity in the member `key`, as unit() reads it; `absent` if there is no such member.
  template <typename Quantity>
  Quantity unit(char const* key, Quantity (*parse_unit)(std::string_view), Quantity absent) const {
    return has(key) ? (*this)[key].unit(parse_unit) : absent;
  }
};

/// The value of the name at `key`, which the schema must have checked; `absent` if there is no such member.
template <typename Enum>
Enum word_at(Place const& place, char const* key, Enum absent) {
  return place.has(key) ? known_value<Enum>(place[key].text()) : absent;
}

/// The parameters of a point besides its collective: /algorithm, /block, /seed and the machine.
struct Setting {
  Place const& root;      ///< the whole scenario
  std::string algorithm;  ///< empty where the scenario names no algorithm
  Bytes block;
  std::uint64_t seed;
  Platform const& machine;
};

// The readers of larger parts. All of them throw InputError with the place.

/// The torus of a list of extents.
Torus read_torus(Place const& extents);
/// A list of vectors, each with `dimensions` coordinates. Errors name the torus at the pointer `torus`, which has so
/// many dimensions.
std::vector<std::vector<int>> read_vectors(Place const& list, int dimensions, std::string const& torus);
/// The offsets of a neighborhood, as read_vectors reads them.
Neighborhood read_offsets(Place const& list, int dimensions, std::string const& torus);
/// The description of a graph, which is not made yet. `seed` is for a random graph.
problem::GraphSource read_graph_source(Place const& graph, std::uint64_t seed);
/// /collective/block_sizes: a list of sizes, or an expression, which is evaluated later. Without the key all blocks
/// have the size `block`, which is /block. The caller must check how many sizes there are.
problem::BlockSizes read_block_sizes(Place const& collective, Bytes block);
Platform read_machine(Place const& machine);
Problem read_problem(Setting const& setting);

}  // namespace rondo::scenario
