// What theory says of the isomorphic algorithms.

#include <algorithm>
#include <limits>

#include "base/error.hpp"
#include "run/families/answers.hpp"
#include "run/families/isomorphic.hpp"

namespace rondo {
namespace {

using scenario::Scenario;
using Algorithm = scenario::IsomorphicAlgorithm;
using theory::Counts;

/// Whether the algorithm promises messages between immediate neighbors only.
bool unit_links(Algorithm algorithm) {
  return algorithm == Algorithm::torus || algorithm == Algorithm::parity || algorithm == Algorithm::steiner;
}

/// Whether a search decides which hops the blocks take: theory, which sees the neighborhood alone, has no counts then.
bool is_searched(Algorithm algorithm) { return algorithm == Algorithm::basis || algorithm == Algorithm::steiner; }

Counts alltoall_counts(Isomorphic const& x) {
  switch (x.algorithm) {
    case Algorithm::straightforward:
      return theory::alltoall_straightforward(x.torus, x.routed, x.ports, x.sizes);
    case Algorithm::posted:
      return theory::alltoall_posted(x.torus, x.routed, x.sizes);
    case Algorithm::torus:
      return x.ports == 1 ? theory::alltoall_torus(x.torus, x.routed, x.sizes)
                          : theory::alltoall_torus_ported(x.torus, x.routed, x.order, x.ports, x.sizes);
    case Algorithm::direct:
      return x.ports == 1 ? theory::alltoall_direct(x.torus, x.routed, x.sizes)
                          : theory::alltoall_direct_ported(x.torus, x.routed, x.order, x.ports, x.sizes);
    case Algorithm::parity:
      return theory::alltoall_parity(x.torus, x.routed, x.sizes);
    case Algorithm::basis:
    case Algorithm::steiner:
      break;
  }
  throw ContractViolation("an algorithm whose counts the neighborhood tells");
}

Counts allgather_counts(Isomorphic const& x) {
  switch (x.algorithm) {
    case Algorithm::straightforward:
      return theory::allgather_straightforward(x.torus, x.routed, x.ports);
    case Algorithm::posted:
      return theory::allgather_posted(x.torus, x.routed);
    case Algorithm::torus:
      return x.ports == 1 ? theory::allgather_torus(x.torus, x.routed, x.order)
                          : theory::allgather_torus_ported(x.torus, x.routed, x.order, x.ports);
    case Algorithm::direct:
      return x.ports == 1 ? theory::allgather_direct(x.torus, x.routed, x.order)
                          : theory::allgather_direct_ported(x.torus, x.routed, x.order, x.ports);
    case Algorithm::basis:
    case Algorithm::steiner:
    case Algorithm::parity:
      break;
  }
  throw ContractViolation("an algorithm whose counts the neighborhood tells");
}

theory::MeshCounts mesh_counts(Isomorphic const& x) {
  bool const alltoall = x.kind == Isomorphic::Kind::alltoall;
  switch (x.algorithm) {
    case Algorithm::straightforward:
      return theory::straightforward_on_mesh(x.torus, x.given, x.ports, x.sizes);
    case Algorithm::posted:
      return theory::straightforward_on_mesh(x.torus, x.given, 0, x.sizes);
    case Algorithm::torus:
      return alltoall ? theory::alltoall_torus_on_mesh(x.torus, x.given, x.order, x.ports, x.sizes)
                      : theory::allgather_torus_on_mesh(x.torus, x.given, x.order, x.ports);
    case Algorithm::direct:
      return alltoall ? theory::alltoall_direct_on_mesh(x.torus, x.given, x.order, x.ports, x.sizes)
                      : theory::allgather_direct_on_mesh(x.torus, x.given, x.order, x.ports);
    case Algorithm::basis:
    case Algorithm::steiner:
    case Algorithm::parity:
      break;
  }
  throw ContractViolation("an algorithm that knows meshes");
}

theory::Bounds bounds_of(Isomorphic const& x, int ports) {
  bool const unit = unit_links(x.algorithm);
  bool const mesh = x.boundary == Boundary::open;
  if (x.kind == Isomorphic::Kind::alltoall) {
    if (mesh) {
      return unit ? theory::alltoall_bounds_on_mesh_unit(x.torus, x.given, ports)
                  : theory::alltoall_bounds_on_mesh_any(x.torus, x.given, ports);
    }
    return unit ? theory::alltoall_bounds_unit(x.torus, x.given, ports, x.sizes)
                : theory::alltoall_bounds_any(x.torus, x.given, ports, x.sizes);
  }
  if (mesh) {
    return unit ? theory::allgather_bounds_on_mesh_unit(x.torus, x.given, ports)
                : theory::allgather_bounds_on_mesh_any(x.torus, x.given, ports);
  }
  return unit ? theory::allgather_bounds_unit(x.torus, x.given, ports)
              : theory::allgather_bounds_any(x.torus, x.given, ports);
}

/// Volumes of `blocks` blocks of size m, or where sizes differ, `bytes` in blocks of m.
void add_volume(Figures& figures, Isomorphic const& x, std::int64_t blocks, Bytes bytes, Bytes block) {
  if (x.sizes.empty()) {
    figures.volume_blocks = static_cast<double>(blocks);
    figures.volume_bytes = (blocks * block).value;
    return;
  }
  figures.volume_bytes = bytes.value;
  if (block.value > 0) figures.volume_blocks = static_cast<double>(bytes.value) / static_cast<double>(block.value);
}

/// Whether all messages of the algorithm cost alpha + beta*n on this machine.
bool cost_is_known(Isomorphic const& x, Platform const& machine) {
  if (!links_unshared(machine)) return false;
  auto const* torus = std::get_if<TorusMachine>(&machine.topology);
  return distance_is_free(machine) || (unit_links(x.algorithm) && torus != nullptr && torus->torus == x.torus);
}

Seconds posted_time(Isomorphic const& x, Scenario const& scenario) {
  std::vector<Bytes> messages;
  for (int i = 0; i < x.routed.size(); ++i) {
    if (x.torus.is_self(x.routed[i])) continue;
    messages.push_back(x.sizes.empty() ? scenario.block : x.sizes[static_cast<std::size_t>(i)]);
  }
  Platform const& machine = scenario.machine;
  return theory::posted_time(messages, machine.ports, machine.envelope, linear_cost(machine));
}

Seconds time_of(Isomorphic const& x, Counts const& counts, Scenario const& scenario) {
  Platform const& machine = scenario.machine;
  if (x.algorithm == Algorithm::posted) return posted_time(x, scenario);
  return x.sizes.empty() ? theory::time(counts, scenario.block, machine.envelope, linear_cost(machine))
                         : theory::time_irregular(counts, machine.envelope, linear_cost(machine));
}

/// Of steps that a search finds: D rounds for `steiner`, whose search only orders the D hops of `torus`.
Figures searched(Isomorphic const& x) {
  Figures figures;
  if (x.algorithm == Algorithm::steiner) figures.rounds = theory::alltoall_torus(x.torus, x.routed).rounds;
  return figures;
}

Figures on_torus(Isomorphic const& x, Scenario const& scenario) {
  Counts const counts = x.kind == Isomorphic::Kind::alltoall ? alltoall_counts(x) : allgather_counts(x);
  Figures figures;
  figures.rounds = counts.rounds;
  add_volume(figures, x, counts.volume_blocks, counts.volume_bytes, scenario.block);
  if (x.sizes.empty()) figures.critical_blocks = static_cast<double>(counts.critical_blocks);
  if (cost_is_known(x, scenario.machine)) figures.time_s = time_of(x, counts, scenario).value;
  return figures;
}

/// Ranks near a side do less, so that there is no closed form of the time.
Figures on_mesh(Isomorphic const& x, Bytes block) {
  theory::MeshCounts const counts = mesh_counts(x);
  Figures figures;
  figures.rounds = counts.rounds;
  add_volume(figures, x, counts.volume_blocks, counts.volume_bytes, block);
  if (x.sizes.empty()) figures.total_blocks = static_cast<double>(counts.total_blocks);
  return figures;
}

Figures bound(Isomorphic const& x, Scenario const& scenario) {
  int const ports = scenario.machine.ports;
  theory::LinearCost const cost = cheapest_cost(scenario.machine);
  theory::Bounds const bounds = bounds_of(x, ports);
  Figures figures;
  figures.rounds = bounds.rounds;
  if (x.sizes.empty()) {
    add_volume(figures, x, bounds.volume_blocks, Bytes(0), scenario.block);
    figures.time_s = theory::time_bound(bounds, scenario.block, ports, cost).value;
  } else if (x.boundary == Boundary::periodic) {
    add_volume(figures, x, 0, bounds.volume_bytes, scenario.block);
    Bytes const smallest = *std::min_element(x.sizes.begin(), x.sizes.end());
    figures.time_s = theory::time_bound_irregular(bounds, smallest, ports, cost).value;
  }
  return figures;
}

/// Whether the simulation must take theory's time. Messages that wait for a port of their own rank are started by the
/// native engine in the order of posting, the same at all ranks; SimGrid frees ports that end at the same moment one
/// after the other, so that on SMPI only bounds hold.
bool time_is_exact(Isomorphic const& x, Scenario const& scenario) {
  if (is_searched(x.algorithm)) return x.boundary == Boundary::periodic && cost_is_known(x, scenario.machine);
  bool const waits = x.algorithm == Algorithm::posted && x.given.size() > scenario.machine.ports;
  return links_unshared(scenario.machine) && (!waits || scenario.engine == scenario::Engine::native);
}

}  // namespace

Prediction prediction(Isomorphic const& x, Scenario const& scenario) {
  Prediction result;
  bool const torus = x.boundary == Boundary::periodic;
  bool const mesh = x.boundary == Boundary::open;
  if (torus || mesh) {  // theory has nothing on dimensions of both kinds
    if (is_searched(x.algorithm)) {
      result.theory = searched(x);
      result.accounted = x.algorithm == Algorithm::steiner ? "volume time" : "rounds volume time";
    } else {
      result.theory = torus ? on_torus(x, scenario) : on_mesh(x, scenario.block);
    }
    result.bound = bound(x, scenario);
  }
  result.links = unit_links(x.algorithm) ? "unit" : "any";
  result.exact = time_is_exact(x, scenario);
  return result;
}

std::optional<double> cutoff(Isomorphic const& x, theory::LinearCost const& cost) {
  if (x.boundary != Boundary::periodic || !x.sizes.empty()) return std::nullopt;
  Isomorphic combining = x;
  combining.algorithm = Algorithm::torus;
  combining.order = dimension_order(x, Hops::unit);
  Isomorphic straightforward = x;
  straightforward.algorithm = Algorithm::straightforward;
  auto const counted = [&](Isomorphic const& each) {
    Counts counts = x.kind == Isomorphic::Kind::alltoall ? alltoall_counts(each) : allgather_counts(each);
    counts.volume_blocks = counts.critical_blocks;  // what a round on several ports takes
    return counts;
  };
  auto const cut = theory::cutoff(counted(combining), counted(straightforward), cost);
  using Faster = theory::Cutoff::Faster;
  // m < m_cut is to say "combining is faster", also where it is for every m, and by a finite number, as operands of
  // claims are; where it is so above a size instead, there is no such number.
  if (cut.faster == Faster::never) return 0;
  if (cut.faster == Faster::always) return std::numeric_limits<double>::max();
  if (cut.faster == Faster::below) return cut.bytes;
  return std::nullopt;
}

}  // namespace rondo
