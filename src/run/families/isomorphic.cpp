// All-to-all and allgather on an isomorphic neighborhood, on a torus or, on a mesh machine, on the open torus.

#include "run/families/isomorphic.hpp"

#include <chrono>

#include "base/error.hpp"
#include "generate/generate.hpp"
#include "run/families/answers.hpp"

namespace rondo {
namespace {

using scenario::Scenario;
using Algorithm = scenario::IsomorphicAlgorithm;

Schedule alltoall_on_torus(Isomorphic const& x, Bytes block) {
  generate::BlockSizes const sizes(block, x.sizes);
  switch (x.algorithm) {
    case Algorithm::straightforward:
      return generate::isomorphic_alltoall_straightforward(x.torus, x.routed, sizes, x.ports);
    case Algorithm::posted:
      return generate::isomorphic_alltoall_posted(x.torus, x.routed, sizes);
    case Algorithm::torus:
      return generate::isomorphic_alltoall_torus(x.torus, x.routed, sizes, x.order, x.ports);
    case Algorithm::direct:
      return generate::isomorphic_alltoall_direct(x.torus, x.routed, sizes, x.order, x.ports);
    case Algorithm::basis:
      return generate::isomorphic_alltoall_basis(x.torus, x.steps, sizes, x.ports);
    case Algorithm::parity:
      return generate::isomorphic_alltoall_parity(x.torus, x.routed, sizes, x.order);
    case Algorithm::steiner:
      break;
  }
  throw ContractViolation("an algorithm of isomorphic_alltoall");
}

Schedule allgather_on_torus(Isomorphic const& x, Bytes block) {
  switch (x.algorithm) {
    case Algorithm::straightforward:
      return generate::isomorphic_allgather_straightforward(x.torus, x.routed, block, x.ports);
    case Algorithm::posted:
      return generate::isomorphic_allgather_posted(x.torus, x.routed, block);
    case Algorithm::torus:
      return generate::isomorphic_allgather_torus(x.torus, x.routed, block, x.order, x.ports);
    case Algorithm::direct:
      return generate::isomorphic_allgather_direct(x.torus, x.routed, block, x.order, x.ports);
    case Algorithm::basis:
      return generate::isomorphic_allgather_basis(x.torus, x.steps, block, x.ports);
    case Algorithm::steiner:
      return generate::isomorphic_allgather_steiner(x.torus, x.steps, block);
    case Algorithm::parity:
      break;
  }
  throw ContractViolation("an algorithm of isomorphic_allgather");
}

Schedule schedule_for(Isomorphic const& x, Bytes block) {
  Schedule periodic = x.kind == Isomorphic::Kind::alltoall ? alltoall_on_torus(x, block) : allgather_on_torus(x, block);
  if (x.boundary == Boundary::periodic) return periodic;
  return generate::isomorphic_on_mesh(periodic, x.given, x.boundary);
}

/// s, d, and D, V, W of `torus` on this torus or mesh, on one port; with dimensions of both kinds there is no closed
/// form of the last three.
Names counts_of_torus(Isomorphic const& x) {
  if (x.boundary != Boundary::periodic && x.boundary != Boundary::open) {
    return {{"s", x.given.size()},
            {"d", x.torus.dimensions()},
            {"D", std::nullopt},
            {"V", std::nullopt},
            {"W", std::nullopt}};
  }
  std::vector<int> const order = dimension_order(x, Hops::unit);
  double rounds = 0;
  double alltoall = 0;
  double allgather = 0;
  auto const read = [&](auto const& separate, auto const& shared) {
    rounds = static_cast<double>(separate.rounds);
    alltoall = static_cast<double>(separate.volume_blocks);
    allgather = static_cast<double>(shared.volume_blocks);
  };
  if (x.boundary == Boundary::periodic) {
    read(theory::alltoall_torus(x.torus, x.routed), theory::allgather_torus(x.torus, x.routed, order));
  } else {
    read(theory::alltoall_torus_on_mesh(x.torus, x.given, order, 1),
         theory::allgather_torus_on_mesh(x.torus, x.given, order, 1));
  }
  return {{"s", x.given.size()}, {"d", x.torus.dimensions()}, {"D", rounds}, {"V", alltoall}, {"W", allgather}};
}

Names names(Isomorphic const& x, Scenario const& scenario) {
  Names result = counts_of_torus(x);
  // Every message carries the envelope, so it is a part of its start-up.
  theory::LinearCost cost = linear_cost(scenario.machine);
  cost.alpha = cost.alpha + scenario.machine.envelope / cost.bandwidth;
  result["m_cut"] = cutoff(x, cost);
  return result;
}

/// Times the making of the schedule, which every rank does by itself: the "init" of [Traeff16, Table 2].
Plan plan(Collective collective, Isomorphic const& x, Scenario const& scenario) {
  SchedulePlan result{std::move(collective), {}, prediction(x, scenario)};
  auto const start = std::chrono::steady_clock::now();
  result.schedule = schedule_for(x, scenario.block);
  result.combining.setup_wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace

Plan plan_for(scenario::IsomorphicAlltoallProblem const& problem, Scenario const& scenario) {
  Isomorphic const x = isomorphic(problem, scenario);
  return plan(IsomorphicAlltoall{x.torus, x.given, x.boundary}, x, scenario);
}

Plan plan_for(scenario::IsomorphicAllgatherProblem const& problem, Scenario const& scenario) {
  Isomorphic const x = isomorphic(problem, scenario);
  return plan(IsomorphicAllgather{x.torus, x.given, x.boundary}, x, scenario);
}

Names names_for(scenario::IsomorphicAlltoallProblem const& problem, Scenario const& scenario) {
  return names(isomorphic(problem, scenario), scenario);
}

Names names_for(scenario::IsomorphicAllgatherProblem const& problem, Scenario const& scenario) {
  return names(isomorphic(problem, scenario), scenario);
}

}  // namespace rondo
