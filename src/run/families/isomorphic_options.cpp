#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/error.hpp"
#include "decomposition/additive_basis.hpp"
#include "decomposition/shortest_wrap.hpp"
#include "decomposition/steiner_steps.hpp"
#include "run/families/answers.hpp"
#include "run/families/isomorphic.hpp"

namespace rondo {
namespace {

using scenario::IsomorphicPattern;
using scenario::Scenario;
using Algorithm = scenario::IsomorphicAlgorithm;

Neighborhood routed(IsomorphicPattern const& pattern, Boundary const& boundary) {
  Neighborhood const fitted = fitting(pattern.torus, pattern.neighborhood, boundary);
  return pattern.shortest_wrap ? shortest_wrap(pattern.torus, fitted, boundary) : fitted;
}

Boundary boundary_of(IsomorphicPattern const& pattern, Platform const& machine) {
  if (std::holds_alternative<MeshMachine>(machine.topology)) return Boundary::open;
  return pattern.periodic.empty() ? Boundary::periodic : Boundary::closed_in(pattern.periodic);
}

Isomorphic isomorphic(Isomorphic::Kind kind, IsomorphicPattern const& pattern, Algorithm algorithm,
                      Platform const& machine) {
  Boundary const boundary = boundary_of(pattern, machine);
  Isomorphic x{.kind = kind,
               .algorithm = algorithm,
               .torus = pattern.torus,
               .boundary = boundary,
               .given = pattern.neighborhood,
               .routed = routed(pattern, boundary),
               .rule = pattern.dimension_order,
               .order = {},
               .ports = machine.ports};
  x.order = dimension_order(x, algorithm == Algorithm::direct ? Hops::direct : Hops::unit);
  if (algorithm == Algorithm::basis) x.steps = additive_basis(x.torus, x.routed, boundary);
  if (algorithm == Algorithm::steiner) x.steps = steiner_steps(x.torus, x.routed, x.order, boundary);
  return x;
}

constexpr double most_bytes = 1099511627776;  // 1TiB, as of all blocks

Bytes size_at(std::string const& expression, std::span<int const> offset, double block) {
  Names names{{"d", offset.size()}, {"m", block}};
  double l1 = 0;
  double linf = 0;
  for (std::size_t j = 0; j < offset.size(); ++j) {
    names[fmt::format("c{}", j)] = offset[j];
    l1 += std::abs(offset[j]);
    linf = std::max(linf, static_cast<double>(std::abs(offset[j])));
  }
  names["l1"] = l1;
  names["linf"] = linf;
  double const size = evaluate(expression, names).number;
  if (size >= 0 && size <= most_bytes && size == std::round(size)) return Bytes(static_cast<std::int64_t>(size));
  throw InputError(fmt::format("expected a whole number of bytes from 0 to {} for each offset, got {} for [{}]",
                               most_bytes, std::isnan(size) ? "no number" : fmt::format("{}", size),
                               fmt::join(offset, ",")));
}

}  // namespace

Isomorphic isomorphic(scenario::IsomorphicAlltoallProblem const& problem, Scenario const& scenario) {
  Isomorphic x = isomorphic(Isomorphic::Kind::alltoall, problem.pattern, problem.algorithm, scenario.machine);
  x.sizes = block_sizes(problem.sizes, x.given, scenario.block);
  return x;
}

Isomorphic isomorphic(scenario::IsomorphicAllgatherProblem const& problem, Scenario const& scenario) {
  return isomorphic(Isomorphic::Kind::allgather, problem.pattern, problem.algorithm, scenario.machine);
}

template <>
void validate(scenario::IsomorphicAlltoallProblem const& problem, Scenario const& scenario) {
  block_sizes(problem.sizes, problem.pattern.neighborhood, scenario.block);
}

std::vector<int> dimension_order(Isomorphic const& x, Hops hops) {
  switch (x.rule.rule) {
    case scenario::DimensionOrder::Rule::given:
      return given_dimension_order(x.torus.dimensions());
    case scenario::DimensionOrder::Rule::best:
      return best_dimension_order(x.torus, x.routed, hops);
    case scenario::DimensionOrder::Rule::paper:
      return paper_dimension_order(x.routed);
    case scenario::DimensionOrder::Rule::stated:
      return x.rule.stated;
  }
  throw ContractViolation("a rule for the order of dimensions");
}

std::vector<Bytes> block_sizes(scenario::NeighborSizes const& sizes, Neighborhood const& neighborhood, Bytes block) {
  if (sizes.expression.empty()) return sizes.list;
  std::vector<Bytes> result;
  try {
    for (int i = 0; i < neighborhood.size(); ++i) {
      result.push_back(size_at(sizes.expression, neighborhood[i], static_cast<double>(block.value)));
    }
  } catch (InputError const& refused) {
    throw InputError(fmt::format("/collective/block_sizes: {}", refused.what()));
  }
  return result;
}

}  // namespace rondo
