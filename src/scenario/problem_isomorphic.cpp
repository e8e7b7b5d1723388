#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "decomposition/additive_basis.hpp"
#include "scenario/read.hpp"

namespace rondo::scenario {
namespace {

std::vector<std::vector<int>> read_vectors(Place const& list, int dimensions) {
  for (std::size_t i = 0; i < list.value.size(); ++i) {
    std::size_t const coordinates = list.value[i].size();
    if (coordinates == static_cast<std::size_t>(dimensions)) continue;
    throw error_at(list.file, child(list.pointer, std::to_string(i)),
                   fmt::format("expected {} coordinates, as many as /collective/torus has dimensions, got {}",
                               dimensions, coordinates));
  }
  return list.value.get<std::vector<std::vector<int>>>();
}

Neighborhood read_offsets(Place const& list, int dimensions) {
  auto const offsets = read_vectors(list, dimensions);
  return list.checked([&] { return Neighborhood(dimensions, offsets); });
}

/// Refuses `printed` where the paper prints no list.
Neighborhood read_octant(Place const& neighborhood, int dimensions) {
  Place const radius = neighborhood["radius"];
  if (!neighborhood.value.value("printed", false)) {
    return radius.checked([&] { return octant(dimensions, radius.integer()); });
  }
  if (dimensions == 3 && radius.integer() == 1) return printed_octant();
  throw neighborhood["printed"].error(fmt::format(
      "expected false but for three dimensions and radius 1, whose offsets the paper prints, got true for {} "
      "dimensions and radius {}",
      dimensions, radius.integer()));
}

/// The stated additive basis of the algorithm `basis`, of which distinct vectors must sum up to each offset.
std::vector<std::vector<int>> read_basis(Place const& collective, int dimensions) {
  if (!collective.has("basis")) return {};
  Place const list = collective["basis"];
  return read_vectors(list, dimensions);
}

Neighborhood read_neighborhood(Place const& neighborhood, int dimensions) {
  std::string const kind = neighborhood["kind"].text();
  if (kind == "offsets") return read_offsets(neighborhood["offsets"], dimensions);
  if (kind == "shales") {
    Place const radii = neighborhood["radii"];
    return radii.checked([&] { return shales(dimensions, radii.integers()); });
  }
  if (kind == "octant") return read_octant(neighborhood, dimensions);
  Place const radius = neighborhood["radius"];
  return radius.checked([&] {
    if (kind == "moore") return moore(dimensions, radius.integer());
    expects(kind == "von_neumann", "a reader for each kind of neighborhood");
    return von_neumann(dimensions, radius.integer());
  });
}

problem::DimensionOrder read_order(Place const& collective, int dimensions) {
  if (!collective.has("dimension_order")) return {};
  Place const order = collective["dimension_order"];
  if (order.value.is_string()) return {known_value<problem::OrderRule>(order.text())};
  std::vector<int> given(static_cast<std::size_t>(dimensions));
  std::iota(given.begin(), given.end(), 0);
  std::vector<int> const stated = order.integers();
  if (!std::is_permutation(stated.begin(), stated.end(), given.begin(), given.end())) {
    throw order.error(fmt::format("expected a permutation of 0 to {}, got {}", dimensions - 1, shown(order.value)));
  }
  return {problem::OrderRule::stated, stated};
}

/// Which dimensions close: those that the scenario says; if it says nothing, all of them, or none of them on a mesh
/// machine.
Boundary read_boundary(Place const& collective, std::size_t dimensions, bool mesh) {
  if (!collective.has("periodic")) return mesh ? Boundary::open : Boundary::periodic;
  Place const list = collective["periodic"];
  if (list.value.size() != dimensions) {
    throw list.error(fmt::format("expected {} of true and false, as many as /collective/torus has dimensions, got {}",
                                 dimensions, list.value.size()));
  }
  auto const closed = list.value.get<std::vector<bool>>();
  if (mesh && std::find(closed.begin(), closed.end(), true) != closed.end()) {
    throw list.error("expected false for each dimension of a \"mesh\", got true");
  }
  return mesh ? Boundary::open : Boundary::closed_in(closed);
}

problem::Reading read_reading(Place const& collective, std::string const& algorithm) {
  if (!collective.value.value("printed", false)) return problem::Reading::repaired;
  if (algorithm == "torus") return problem::Reading::printed;
  throw collective["printed"].error("expected false but for torus, the algorithm that the paper prints, got true");
}

void expect_basis_of_offsets(Place const& collective, problem::Isomorphic const& problem) {
  if (problem.basis.empty() || problem.algorithm != problem::IsomorphicAlgorithm::basis) return;
  collective["basis"].checked([&] { stated_basis(problem.torus, routed(problem), problem.basis); });
}

problem::BlockSizes read_sizes(Place const& collective, int neighbors, Bytes block) {
  problem::BlockSizes result = read_block_sizes(collective, block);
  if (!collective.has("block_sizes") || !result.expression.empty()) return result;
  if (result.each.size() != static_cast<std::size_t>(neighbors)) {
    throw collective["block_sizes"].error(
        fmt::format("expected {} sizes, one for each neighbor, got {}", neighbors, result.each.size()));
  }
  return result;
}

}  // namespace

problem::BlockSizes read_block_sizes(Place const& collective, Bytes block) {
  problem::BlockSizes result(block);
  if (!collective.has("block_sizes")) return result;
  Place const sizes = collective["block_sizes"];
  if (sizes.value.is_string()) {
    result.expression = sizes.text();
    return result;
  }
  for (std::size_t i = 0; i < sizes.value.size(); ++i) {
    Place const size{sizes.value[i], sizes.file, child(sizes.pointer, std::to_string(i))};
    result.each.push_back(size.unit(parse_bytes));
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

problem::Isomorphic read_isomorphic(problem::NeighborCollective collective, Place const& place,
                                    Setting const& setting) {
  Torus torus = read_torus(place["torus"]);
  int const dimensions = torus.dimensions();
  Neighborhood neighborhood = read_neighborhood(place["neighborhood"], dimensions);
  problem::BlockSizes sizes = read_sizes(place, neighborhood.size(), setting.block);
  bool const mesh = std::holds_alternative<MeshMachine>(setting.machine.topology);
  problem::Isomorphic problem{.collective = collective,
                              .torus = std::move(torus),
                              .neighborhood = std::move(neighborhood),
                              .sizes = std::move(sizes),
                              .algorithm = known_value<problem::IsomorphicAlgorithm>(setting.algorithm),
                              .dimension_order = read_order(place, dimensions),
                              .shortest_wrap = place.value.value("shortest_wrap", false),
                              .boundary = read_boundary(place, static_cast<std::size_t>(dimensions), mesh),
                              .reading = read_reading(place, setting.algorithm),
                              .basis = read_basis(place, dimensions),
                              .ports = setting.machine.ports};
  expect_basis_of_offsets(place, problem);
  return problem;
}

}  // namespace rondo::scenario
