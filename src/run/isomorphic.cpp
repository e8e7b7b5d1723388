// All-to-all on an isomorphic neighborhood.

#include <limits>

#include "base/error.hpp"
#include "generate/generate.hpp"
#include "run/family.hpp"

namespace rondo {
namespace {

using scenario::IsomorphicAlltoallProblem;
using scenario::Scenario;
using Algorithm = IsomorphicAlltoallProblem::Algorithm;

Schedule schedule_for(IsomorphicAlltoallProblem const& problem, Bytes block) {
  switch (problem.algorithm) {
    case Algorithm::straightforward:
      return generate::isomorphic_alltoall_straightforward(problem.torus, problem.neighborhood, block);
    case Algorithm::torus:
      return generate::isomorphic_alltoall_torus(problem.torus, problem.neighborhood, block, problem.dimension_order);
  }
  throw ContractViolation("an algorithm of isomorphic_alltoall");
}

/// Whether every message of the algorithm crosses one link only, so that hop_latency does not matter.
bool single_hops(IsomorphicAlltoallProblem const& problem, Platform const& machine) {
  if (std::holds_alternative<FullyConnected>(machine.topology)) return true;
  auto const* torus = std::get_if<TorusMachine>(&machine.topology);
  return problem.algorithm == Algorithm::torus && torus && torus->torus == problem.torus;
}

Prediction predict(IsomorphicAlltoallProblem const& problem, Scenario const& scenario) {
  Platform const& machine = scenario.machine;
  bool const unit = problem.algorithm == Algorithm::torus;
  theory::Counts const counts = unit ? theory::alltoall_torus(problem.torus, problem.neighborhood)
                                     : theory::alltoall_straightforward(problem.torus, problem.neighborhood);
  theory::Bounds const bounds = unit ? theory::alltoall_bounds_unit(problem.torus, problem.neighborhood, machine.ports)
                                     : theory::alltoall_bounds_any(problem.torus, problem.neighborhood, machine.ports);
  Prediction result;
  result.theory.rounds = counts.rounds;
  result.theory.volume_blocks = static_cast<double>(counts.volume_blocks);
  if (machine.hop_latency == Seconds(0) || single_hops(problem, machine)) {
    result.theory.time_s = theory::time(counts, scenario.block, machine.envelope, linear_cost(machine)).value;
  }
  result.bound.rounds = bounds.rounds;
  result.bound.volume_blocks = static_cast<double>(bounds.volume_blocks);
  result.bound.time_s = theory::time_bound(bounds, scenario.block, machine.ports, cheapest_cost(machine)).value;
  result.links = unit ? "unit" : "any";
  result.exact = links_unshared(machine);
  return result;
}

}  // namespace

Plan plan_for(IsomorphicAlltoallProblem const& problem, Scenario const& scenario) {
  return {IsomorphicAlltoall{problem.torus, problem.neighborhood}, schedule_for(problem, scenario.block),
          predict(problem, scenario)};
}

Names names_for(IsomorphicAlltoallProblem const& problem, Scenario const& scenario) {
  auto const combining = theory::alltoall_torus(problem.torus, problem.neighborhood);
  auto const straightforward = theory::alltoall_straightforward(problem.torus, problem.neighborhood);
  // Every message carries the envelope, so it is a part of its start-up.
  theory::LinearCost cost = linear_cost(scenario.machine);
  cost.alpha = cost.alpha + scenario.machine.envelope / cost.bandwidth;
  auto const cut = theory::cutoff(combining, straightforward, cost);
  using Faster = theory::Cutoff::Faster;
  Names names{{"s", problem.neighborhood.size()},
              {"d", problem.torus.dimensions()},
              {"D", static_cast<double>(combining.rounds)},
              {"V", static_cast<double>(combining.volume_blocks)}};
  // m < m_cut is to say "combining is faster"; where it is so above a size instead, there is no such number.
  std::optional<double>& m_cut = names["m_cut"];
  if (cut.faster == Faster::never) m_cut = 0;
  if (cut.faster == Faster::always) m_cut = std::numeric_limits<double>::infinity();
  if (cut.faster == Faster::below) m_cut = cut.bytes;
  return names;
}

}  // namespace rondo
