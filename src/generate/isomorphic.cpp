// Chooses the lanes of each isomorphic algorithm; lanes_*.cpp make schedules of them.

#include "base/error.hpp"
#include "decomposition/additive_basis.hpp"
#include "decomposition/steiner_steps.hpp"
#include "generate/generate.hpp"
#include "generate/lanes.hpp"

namespace rondo::generate {
namespace {

using problem::Isomorphic;
using Algorithm = problem::IsomorphicAlgorithm;

/// Turns lanes into the schedule of an all-to-all or an allgather.
Schedule combine(Isomorphic const& problem, Lanes const& lanes, Promises promises) {
  return problem.collective == problem::NeighborCollective::alltoall
             ? combine_alltoall(lanes, problem.sizes, promises, problem.reading)
             : combine_allgather(lanes, problem.sizes.block, promises);
}

}  // namespace

Schedule isomorphic_straightforward(Isomorphic const& problem) {
  return combine(problem, straightforward_lanes(problem.torus, routed(problem)), {problem.ports, Links::any});
}

Schedule isomorphic_posted(Isomorphic const& problem) {
  return combine(problem, straightforward_lanes(problem.torus, routed(problem)), {0, Links::any});
}

Schedule isomorphic_dimension_wise(Isomorphic const& problem) {
  return combine(problem, unit_lanes(problem.torus, routed(problem), dimension_order(problem)),
                 {problem.ports, Links::unit});
}

/// A block goes directly to its coordinate in each dimension. For an allgather, neighbors that are equal modulo the
/// extents share hops.
Schedule isomorphic_direct(Isomorphic const& problem) {
  Neighborhood neighborhood = routed(problem);
  if (problem.collective == problem::NeighborCollective::allgather) {
    neighborhood = alike_modulo_extents(problem.torus, neighborhood, problem.boundary);
  }
  return combine(problem, direct_lanes(problem.torus, neighborhood, dimension_order(problem)),
                 {problem.ports, Links::axis});
}

Schedule isomorphic_basis(Isomorphic const& problem, Decomposition const& basis) {
  return combine(problem, step_lanes(problem.torus, basis), {problem.ports, Links::any});
}

Schedule isomorphic_basis(Isomorphic const& problem) {
  return isomorphic_basis(problem, problem.basis.empty()
                                       ? additive_basis(problem.torus, routed(problem), problem.boundary)
                                       : stated_basis(problem.torus, routed(problem), problem.basis));
}

Schedule isomorphic_steiner(Isomorphic const& problem, Decomposition const& steps) {
  EqualSteps const equal = problem.ports == 1 ? EqualSteps::apart : EqualSteps::shared;
  return combine(problem, step_lanes(problem.torus, steps, equal), {problem.ports, Links::unit});
}

Schedule isomorphic_steiner(Isomorphic const& problem) {
  return isomorphic_steiner(problem,
                            steiner_steps(problem.torus, routed(problem), dimension_order(problem), problem.boundary));
}

Schedule isomorphic_of_all(Isomorphic const& problem) {
  switch (problem.algorithm) {
    case Algorithm::straightforward:
      return isomorphic_straightforward(problem);
    case Algorithm::posted:
      return isomorphic_posted(problem);
    case Algorithm::dimension_wise:
      return isomorphic_dimension_wise(problem);
    case Algorithm::direct:
      return isomorphic_direct(problem);
    case Algorithm::basis:
      return isomorphic_basis(problem);
    case Algorithm::parity:
      return isomorphic_parity(problem);
    case Algorithm::steiner:
      return isomorphic_steiner(problem);
  }
  throw ContractViolation("an isomorphic algorithm");
}

/// On a mesh, the schedule of the closed torus is made first, and then cut for the mesh.
Schedule generate(Isomorphic const& problem) {
  Schedule periodic = isomorphic_of_all(problem);
  if (problem.boundary == Boundary::periodic) return periodic;
  return isomorphic_on_mesh(periodic, problem.neighborhood, problem.boundary);
}

/// What each rank sends to its neighbors and gets from them.
Collective promise(problem::Isomorphic const& problem) {
  if (problem.collective == problem::NeighborCollective::alltoall) {
    return IsomorphicAlltoall{problem.torus, problem.neighborhood, problem.boundary};
  }
  return IsomorphicAllgather{problem.torus, problem.neighborhood, problem.boundary};
}

}  // namespace rondo::generate
