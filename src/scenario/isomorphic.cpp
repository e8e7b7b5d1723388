// The keys of isomorphic collectives on a torus or mesh (problem/isomorphic.hpp) [Traeff16]: every rank has the same
// neighborhood of offsets.

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "decomposition/additive_basis.hpp"
#include "scenario/kinds.hpp"

namespace rondo::scenario {

template <>
problem::Isomorphic usual() {
  return {.torus = Torus({1}), .neighborhood = Neighborhood(1, {}), .sizes = Bytes(0)};
}

namespace {

using problem::Isomorphic;

constexpr char const* neighborhood_schema = R"json({
  "type": "object",
  "title": "an object such as {\"kind\": \"moore\", \"radius\": 1}",
  "description": "the offsets that every rank sends to, with the dimensions of the torus",
  "kinds": [
    {"kind": "moore", "required": ["radius"],
     "description": "every offset except 0 whose coordinates have at most the radius as absolute value", "properties": {
       "radius": {"type": "integer", "minimum": 0, "maximum": 1048576,
                  "description": "the largest Chebyshev norm"}}},
    {"kind": "von_neumann", "required": ["radius"],
     "description": "every offset except 0 with an L1 norm up to the radius", "properties": {
       "radius": {"type": "integer", "minimum": 0, "maximum": 1048576,
                  "description": "the largest L1 norm"}}},
    {"kind": "octant", "required": ["radius"],
     "description": "every offset except 0 with all coordinates from 0 to the radius", "properties": {
       "radius": {"type": "integer", "minimum": 0, "maximum": 1048576,
                  "description": "the largest coordinate"},
       "printed": {"type": "boolean",
                   "description": "with three dimensions and radius 1: use the list of the paper's Section 2, with 0 for its missing 21st integer; false by default"}}},
    {"kind": "shales", "required": ["radii"],
     "description": "every offset whose Chebyshev norm is one of the radii", "properties": {
       "radii": {"type": "array", "title": "a list of radii",
                 "items": {"type": "integer", "minimum": 0, "maximum": 1048576},
                 "description": "the Chebyshev norms"}}},
    {"kind": "offsets", "required": ["offsets"],
     "description": "the offsets in this order; duplicates and the zero vector are allowed", "properties": {
       "offsets": {"type": "array", "title": "a list of offsets",
                   "items": {"type": "array", "title": "an offset: a list of integers",
                             "items": {"type": "integer", "minimum": -1048576, "maximum": 1048576}},
                   "description": "a list of offsets, each with a coordinate for each dimension"}}}
  ]
})json";

Json dimension_order_form() {
  Json form = json_of(R"json({
    "type": ["string", "array"],
    "title": "\"given\", \"best\", \"paper\" or a list of dimensions",
    "allOf": [{"if": {"type": "string"}, "then": {"enum": []}}],
    "items": {"type": "integer", "minimum": 0, "maximum": 63}
  })json");
  form["allOf"][0]["then"]["enum"] = all_enum_names<problem::OrderRule>();
  return form;
}

constexpr char const* basis_form = R"json({
"type": "array", "title": "a list of 1 to 16 vectors", "minItems": 1, "maxItems": 16,
"items": {"type": "array", "title": "a vector: a list of integers",
          "items": {"type": "integer", "minimum": -1048576, "maximum": 1048576}}
})json";
constexpr char const* periodic_form = R"json({
"type": "array", "title": "a list of true and false", "minItems": 1, "maxItems": 64, "items": {"type": "boolean"}
})json";

/// The keys of both collectives.
Table<Isomorphic> shared_keys() {
  return {
      key<Isomorphic>("torus", extents("[8, 8]"), "the extents of the torus of ranks, p in all", Need::required),
      {{"neighborhood", json_of(neighborhood_schema), true}},
      key<Isomorphic>(
          "dimension_order", dimension_order_form(),
          "the order in which torus, direct and parity handle the dimensions: \"given\" (0, 1, ...; by default), "
          "\"best\" (the fewest blocks in an allgather), \"paper\" (the paper's heuristic) or a permutation"),
      key("shortest_wrap", &Isomorphic::shortest_wrap, flag(),
          "replace each offset by an equal one around the torus, so that the fewest rounds are needed"),
      key<Isomorphic>("basis", json_of(basis_form),
                      "the additive basis of the algorithm basis: each offset is a sum of distinct vectors of it; by "
                      "default Rondo searches for a small one"),
      key<Isomorphic>("periodic", json_of(periodic_form),
                      "for each dimension whether it is periodic. Beyond the end of a dimension that is not there are "
                      "no neighbors; by default all are periodic, and on a mesh none"),
  };
}

Table<Isomorphic> alltoall_keys() {
  return {
      printed_key<Isomorphic>("use torus as printed in the paper (Algorithm 1), which fails"),
      key<Isomorphic>("block_sizes",
                      sizes_or_expression("a list of sizes, one for each neighbor, or a non-empty expression", true),
                      "the size of each neighbor's block, if they differ: a list, or an expression of the offset's "
                      "coordinates c0, c1, ..., its norms l1 and linf, d and m, such as m^(d-l1)"),
  };
}

constexpr char const* torus_key = "/collective/torus";

/// Refuses `printed` if the paper prints no list.
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

/// The stated additive basis for the algorithm `basis`. Distinct vectors of it must sum up to each offset.
std::vector<std::vector<int>> read_basis(Place const& collective, int dimensions) {
  if (!collective.has("basis")) return {};
  Place const list = collective["basis"];
  return read_vectors(list, dimensions, torus_key);
}

/// The offsets of a neighborhood, from a rule or a list, for a torus of so many dimensions.
Neighborhood read_neighborhood(Place const& neighborhood, int dimensions) {
  std::string const kind = neighborhood["kind"].text();
  if (kind == "offsets") return read_offsets(neighborhood["offsets"], dimensions, torus_key);
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

/// The order of dimensions: a rule by its name, or a permutation.
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

/// Which dimensions are closed: those that the scenario states; by default all of them, on a mesh machine none.
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

void expect_printed_algorithm(Place const& collective, Isomorphic const& problem) {
  bool const is_printed = problem.algorithm == problem::IsomorphicAlgorithm::dimension_wise;
  if (problem.reading == problem::Reading::repaired || is_printed) return;
  throw collective["printed"].error("expected false but for torus, the algorithm that the paper prints, got true");
}

void expect_basis_of_offsets(Place const& collective, Isomorphic const& problem) {
  if (problem.basis.empty() || problem.algorithm != problem::IsomorphicAlgorithm::basis) return;
  collective["basis"].checked([&] { stated_basis(problem.torus, routed(problem), problem.basis); });
}

/// The sizes of blocks by neighbor. An expression is evaluated later, when all offsets are known.
problem::BlockSizes read_sizes(Place const& collective, int neighbors, Bytes block) {
  problem::BlockSizes result = read_block_sizes(collective, block);
  if (!collective.has("block_sizes") || !result.expression.empty()) return result;
  if (result.each.size() != static_cast<std::size_t>(neighbors)) {
    throw collective["block_sizes"].error(
        fmt::format("expected {} sizes, one for each neighbor, got {}", neighbors, result.each.size()));
  }
  return result;
}

/// Reads an isomorphic collective. On the machine of a mesh the torus is open: offsets that leave it reach nobody.
Problem read_isomorphic(problem::Kind kind, Place const& place, Setting const& setting, Table<Isomorphic> const& keys) {
  using problem::NeighborCollective;
  bool const alltoall = kind == problem::Kind::isomorphic_alltoall;
  NeighborCollective const collective = alltoall ? NeighborCollective::alltoall : NeighborCollective::allgather;
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
                              .boundary = read_boundary(place, static_cast<std::size_t>(dimensions), mesh),
                              .basis = read_basis(place, dimensions),
                              .ports = setting.machine.ports};
  read_keys(keys, place, problem);
  expect_printed_algorithm(place, problem);
  expect_basis_of_offsets(place, problem);
  return problem;
}

}  // namespace

std::vector<CollectiveKind> isomorphic_kinds() {
  return {
      kind_of_keys(problem::Kind::isomorphic_alltoall,
                   "every rank of a torus sends a different block to each of its neighbors",
                   shared_keys() + alltoall_keys(), read_isomorphic),
      kind_of_keys(problem::Kind::isomorphic_allgather,
                   "every rank of a torus sends the same block to all its neighbors", shared_keys(), read_isomorphic),
  };
}

}  // namespace rondo::scenario
