// Chooses routes and orders of dimensions of isomorphic problems.

#include "problem/isomorphic.hpp"

#include "decomposition/routes.hpp"

namespace rondo::problem {

Neighborhood routed(Isomorphic const& problem) {
  Neighborhood const fitted = fitting(problem.torus, problem.neighborhood, problem.boundary);
  return problem.shortest_wrap ? shortest_wrap(problem.torus, fitted, problem.boundary) : fitted;
}

/// The order by the rule of the problem.
std::vector<int> dimension_order(Isomorphic const& problem) {
  switch (problem.dimension_order.rule) {
    case OrderRule::given:
      return given_dimension_order(problem.torus.dimensions());
    case OrderRule::best:
      return best_dimension_order(problem.torus, routed(problem),
                                  problem.algorithm == IsomorphicAlgorithm::direct ? Hops::direct : Hops::unit,
                                  problem.boundary);
    case OrderRule::paper:
      return paper_dimension_order(routed(problem));
    case OrderRule::stated:
      return problem.dimension_order.stated;
  }
  throw ContractViolation("a rule for the order of dimensions");
}

bool unit_links(IsomorphicAlgorithm algorithm) {
  return algorithm == IsomorphicAlgorithm::dimension_wise || algorithm == IsomorphicAlgorithm::parity ||
         algorithm == IsomorphicAlgorithm::steiner;
}

}  // namespace rondo::problem
