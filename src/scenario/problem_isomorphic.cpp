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

DimensionOrder read_order(Place const& collective, int dimensions) {
  if (!collective.has("dimension_order")) return {};
  Place const order = collective["dimension_order"];
  if (order.value.is_string()) return {value_of(dimension_orders, order.text())};
  std::vector<int> given(static_cast<std::size_t>(dimensions));
  std::iota(given.begin(), given.end(), 0);
  std::vector<int> const stated = order.integers();
  if (!std::is_permutation(stated.begin(), stated.end(), given.begin(), given.end())) {
    throw order.error(fmt::format("expected a permutation of 0 to {}, got {}", dimensions - 1, shown(order.value)));
  }
  return {DimensionOrder::Rule::stated, stated};
}

std::vector<bool> read_periodic(Place const& collective, int dimensions) {
  if (!collective.has("periodic")) return {};
  Place const list = collective["periodic"];
  if (list.value.size() != static_cast<std::size_t>(dimensions)) {
    throw list.error(fmt::format("expected {} of true and false, as many as /collective/torus has dimensions, got {}",
                                 dimensions, list.value.size()));
  }
  return list.value.get<std::vector<bool>>();
}

IsomorphicPattern read_isomorphic_pattern(Place const& collective) {
  Torus torus = read_torus(collective["torus"]);
  int const dimensions = torus.dimensions();
  return {std::move(torus), read_neighborhood(collective["neighborhood"], dimensions),
          read_order(collective, dimensions), collective.value.value("shortest_wrap", false),
          read_periodic(collective, dimensions)};
}

NeighborSizes read_sizes(Place const& collective, int neighbors) {
  NeighborSizes result = read_block_sizes(collective);
  if (!collective.has("block_sizes") || !result.expression.empty()) return result;
  if (result.list.size() != static_cast<std::size_t>(neighbors)) {
    throw collective["block_sizes"].error(
        fmt::format("expected {} sizes, one for each neighbor, got {}", neighbors, result.list.size()));
  }
  return result;
}

}  // namespace

NeighborSizes read_block_sizes(Place const& collective) {
  if (!collective.has("block_sizes")) return {};
  Place const sizes = collective["block_sizes"];
  if (sizes.value.is_string()) return {{}, sizes.text()};
  NeighborSizes result;
  for (std::size_t i = 0; i < sizes.value.size(); ++i) {
    Place const size{sizes.value[i], sizes.file, child(sizes.pointer, std::to_string(i))};
    result.list.push_back(size.unit(parse_bytes));
  }
  return result;
}

Torus read_torus(Place const& extents) {
  try {
    return Torus(extents.integers());
  } catch (InputError const& refused) {
    throw extents.error(fmt::format("{}, got {}", refused.what(), shown(extents.value)));
  }
}

IsomorphicAlltoallProblem read_isomorphic_alltoall(Place const& collective, Place const& algorithm) {
  IsomorphicPattern pattern = read_isomorphic_pattern(collective);
  int const neighbors = pattern.neighborhood.size();
  return {std::move(pattern), value_of(isomorphic_algorithms, algorithm.text()), read_sizes(collective, neighbors)};
}

IsomorphicAllgatherProblem read_isomorphic_allgather(Place const& collective, Place const& algorithm) {
  return {read_isomorphic_pattern(collective), value_of(isomorphic_algorithms, algorithm.text())};
}

}  // namespace rondo::scenario
