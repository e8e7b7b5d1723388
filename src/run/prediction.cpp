#include "run/prediction.hpp"

#include "base/error.hpp"

namespace rondo {
namespace {

using scenario::IsomorphicAlltoallProblem;
using Algorithm = IsomorphicAlltoallProblem::Algorithm;

bool links_unshared(Platform const& machine) { return !std::holds_alternative<PlatformFile>(machine.topology); }

/// Whether every message of the algorithm crosses one link only, so that hop_latency does not matter.
bool single_hops(IsomorphicAlltoallProblem const& problem, Platform const& machine) {
  if (std::holds_alternative<FullyConnected>(machine.topology)) return true;
  auto const* torus = std::get_if<TorusMachine>(&machine.topology);
  return problem.algorithm == Algorithm::torus && torus && torus->torus == problem.torus;
}

Prediction predict_for(IsomorphicAlltoallProblem const& problem, scenario::Scenario const& scenario) {
  Platform const& machine = scenario.machine;
  theory::LinearCost const cost{machine.latency, machine.bandwidth};
  bool const unit = problem.algorithm == Algorithm::torus;
  Prediction result{};
  result.counts = unit ? theory::alltoall_torus(problem.torus, problem.neighborhood)
                       : theory::alltoall_straightforward(problem.torus, problem.neighborhood);
  if (machine.hop_latency == Seconds(0) || single_hops(problem, machine)) {
    result.time = theory::time(result.counts, scenario.block, machine.envelope, cost);
  }
  result.bounds = unit ? theory::alltoall_bounds_unit(problem.torus, problem.neighborhood, machine.ports)
                       : theory::alltoall_bounds_any(problem.torus, problem.neighborhood, machine.ports);
  result.time_bound = theory::time_bound(result.bounds, scenario.block, machine.ports, cost);
  result.links = unit ? "unit" : "any";
  result.exact = links_unshared(machine);
  return result;
}

}  // namespace

Prediction predict(scenario::Scenario const& scenario) {
  return std::visit([&](auto const& problem) { return predict_for(problem, scenario); }, scenario.problem);
}

}  // namespace rondo
