#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "scenario/read.hpp"
#include "scenario/words.hpp"

namespace rondo::scenario {
namespace {

Neighborhood read_offsets(Place const& list, int dimensions) {
  for (std::size_t i = 0; i < list.value.size(); ++i) {
    std::size_t const coordinates = list.value[i].size();
    if (coordinates == static_cast<std::size_t>(dimensions)) continue;
    throw error_at(list.file, child(list.pointer, std::to_string(i)),
                   fmt::format("expected {} coordinates, as many as /collective/torus has dimensions, got {}",
                               dimensions, coordinates));
  }
  return list.checked([&] { return Neighborhood(dimensions, list.value.get<std::vector<std::vector<int>>>()); });
}

Neighborhood read_neighborhood(Place const& neighborhood, int dimensions) {
  std::string const kind = neighborhood["kind"].text();
  if (kind == "offsets") return read_offsets(neighborhood["offsets"], dimensions);
  if (kind == "shales") {
    Place const radii = neighborhood["radii"];
    return radii.checked([&] { return shales(dimensions, radii.integers()); });
  }
  Place const radius = neighborhood["radius"];
  return radius.checked([&] {
    if (kind == "moore") return moore(dimensions, radius.integer());
    if (kind == "von_neumann") return von_neumann(dimensions, radius.integer());
    expects(kind == "octant", "a reader for each kind of neighborhood");
    return octant(dimensions, radius.integer());
  });
}

/// 0, 1, ..: the order "given", which is also the default.
std::vector<int> read_order(Place const& collective, int dimensions) {
  std::vector<int> given(static_cast<std::size_t>(dimensions));
  std::iota(given.begin(), given.end(), 0);
  if (!collective.has("dimension_order") || collective["dimension_order"].value.is_string()) return given;
  Place const order = collective["dimension_order"];
  std::vector<int> const stated = order.integers();
  if (!std::is_permutation(stated.begin(), stated.end(), given.begin(), given.end())) {
    throw order.error(fmt::format("expected a permutation of 0 to {}, got {}", dimensions - 1, shown(order.value)));
  }
  return stated;
}

IsomorphicAlltoallProblem read_isomorphic_alltoall(Place const& collective, Place const& algorithm) {
  Torus torus = read_torus(collective["torus"]);
  int const dimensions = torus.dimensions();
  return {std::move(torus), read_neighborhood(collective["neighborhood"], dimensions),
          read_order(collective, dimensions), value_of(isomorphic_alltoall_algorithms, algorithm.text())};
}

}  // namespace

Torus read_torus(Place const& extents) {
  try {
    return Torus(extents.integers());
  } catch (InputError const& refused) {
    throw extents.error(fmt::format("{}, got {}", refused.what(), shown(extents.value)));
  }
}

Problem read_problem(Place const& collective, Place const& algorithm) {
  std::string const kind = collective["kind"].text();
  expects(kind == "isomorphic_alltoall", "a reader for each kind of collective");
  return read_isomorphic_alltoall(collective, algorithm);
}

}  // namespace rondo::scenario
