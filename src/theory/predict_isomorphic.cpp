// The prediction for the isomorphic algorithms.

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "base/error.hpp"
#include "theory/bounds.hpp"
#include "theory/isomorphic.hpp"
#include "theory/predict.hpp"

namespace rondo::theory {
namespace {

using problem::IsomorphicAlgorithm;

/// A problem, with the routes of its blocks and the order of dimensions computed.
struct Isomorphic {
  problem::Isomorphic problem;
  Neighborhood routed;
  std::vector<int> order;  ///< the order in which the algorithm uses dimensions

  explicit Isomorphic(problem::Isomorphic const& given)
      : problem(given), routed(problem::routed(given)), order(dimension_order(given)) {}

  bool alltoall() const { return problem.collective == problem::NeighborCollective::alltoall; }
  std::vector<Bytes> const& sizes() const { return problem.sizes.each; }
  Bytes block() const { return problem.sizes.block; }
};

/// Whether a search decides the hops of the blocks. Theory, which only knows the neighborhood, then has no counts.
bool is_searched(IsomorphicAlgorithm algorithm) {
  return algorithm == IsomorphicAlgorithm::basis || algorithm == IsomorphicAlgorithm::steiner;
}

PortedCounts closed_form(Counts const& counts) { return {counts, counts.rounds}; }

/// The closed form of each algorithm.
PortedCounts alltoall_counts(Isomorphic const& x) {
  Torus const& torus = x.problem.torus;
  int const ports = x.problem.ports;
  switch (x.problem.algorithm) {
    case IsomorphicAlgorithm::straightforward:
      return closed_form(alltoall_straightforward(torus, x.routed, ports, x.sizes()));
    case IsomorphicAlgorithm::posted:
      return closed_form(alltoall_posted(torus, x.routed, x.sizes()));
    case IsomorphicAlgorithm::dimension_wise:
      return ports == 1 ? closed_form(alltoall_dimension_wise(torus, x.routed, x.sizes()))
                        : alltoall_dimension_wise_ported(torus, x.routed, x.order, ports, x.sizes());
    case IsomorphicAlgorithm::direct:
      return ports == 1 ? closed_form(alltoall_direct(torus, x.routed, x.sizes()))
                        : alltoall_direct_ported(torus, x.routed, x.order, ports, x.sizes());
    case IsomorphicAlgorithm::parity:
      return alltoall_parity_ported(torus, x.routed, x.order, ports, x.sizes());
    case IsomorphicAlgorithm::basis:
    case IsomorphicAlgorithm::steiner:
      break;
  }
  throw ContractViolation("an algorithm whose counts the neighborhood tells");
}

/// The closed form of each algorithm.
PortedCounts allgather_counts(Isomorphic const& x) {
  Torus const& torus = x.problem.torus;
  int const ports = x.problem.ports;
  switch (x.problem.algorithm) {
    case IsomorphicAlgorithm::straightforward:
      return closed_form(allgather_straightforward(torus, x.routed, ports));
    case IsomorphicAlgorithm::posted:
      return closed_form(allgather_posted(torus, x.routed));
    case IsomorphicAlgorithm::dimension_wise:
      return ports == 1 ? closed_form(allgather_dimension_wise(torus, x.routed, x.order))
                        : allgather_dimension_wise_ported(torus, x.routed, x.order, ports);
    case IsomorphicAlgorithm::direct:
      return ports == 1 ? closed_form(allgather_direct(torus, x.routed, x.order))
                        : allgather_direct_ported(torus, x.routed, x.order, ports);
    case IsomorphicAlgorithm::parity:
      return allgather_parity_ported(torus, x.routed, x.order, ports);
    case IsomorphicAlgorithm::basis:
    case IsomorphicAlgorithm::steiner:
      break;
  }
  throw ContractViolation("an algorithm whose counts the neighborhood tells");
}

PortedCounts counts_of(Isomorphic const& x) { return x.alltoall() ? alltoall_counts(x) : allgather_counts(x); }

/// The counts on a mesh.
MeshCounts mesh_counts(Isomorphic const& x) {
  bool const alltoall = x.alltoall();
  switch (x.problem.algorithm) {
    case IsomorphicAlgorithm::straightforward:
      return straightforward_on_mesh(x.problem.torus, x.problem.neighborhood, x.problem.ports, x.sizes());
    case IsomorphicAlgorithm::posted:
      return straightforward_on_mesh(x.problem.torus, x.problem.neighborhood, 0, x.sizes());
    case IsomorphicAlgorithm::dimension_wise:
      return alltoall
                 ? alltoall_dimension_wise_on_mesh(x.problem.torus, x.problem.neighborhood, x.order, x.problem.ports,
                                                   x.sizes())
                 : allgather_dimension_wise_on_mesh(x.problem.torus, x.problem.neighborhood, x.order, x.problem.ports);
    case IsomorphicAlgorithm::direct:
      return alltoall
                 ? alltoall_direct_on_mesh(x.problem.torus, x.problem.neighborhood, x.order, x.problem.ports, x.sizes())
                 : allgather_direct_on_mesh(x.problem.torus, x.problem.neighborhood, x.order, x.problem.ports);
    case IsomorphicAlgorithm::basis:
    case IsomorphicAlgorithm::steiner:
    case IsomorphicAlgorithm::parity:
      break;
  }
  throw ContractViolation("an algorithm that knows meshes");
}

/// The bounds for the links that the algorithm uses.
Bounds bounds_of(Isomorphic const& x, int ports) {
  bool const unit = problem::unit_links(x.problem.algorithm);
  Torus const& torus = x.problem.torus;
  Neighborhood const& neighborhood = x.problem.neighborhood;
  if (x.problem.boundary == Boundary::periodic) {
    if (x.alltoall()) return (unit ? alltoall_bounds_unit : alltoall_bounds_any)(torus, neighborhood, ports, x.sizes());
    return (unit ? allgather_bounds_unit : allgather_bounds_any)(torus, neighborhood, ports);
  }
  Boundary const& boundary = x.problem.boundary;
  if (x.alltoall()) {
    auto const& bounds = unit ? alltoall_bounds_on_mesh_unit : alltoall_bounds_on_mesh_any;
    return bounds(torus, boundary, neighborhood, ports, x.sizes());
  }
  return (unit ? allgather_bounds_on_mesh_unit : allgather_bounds_on_mesh_any)(torus, boundary, neighborhood, ports);
}

/// The volume of `blocks` blocks of size m or, if sizes differ, of `bytes`, expressed in blocks of m.
void add_volume(Figures& figures, Isomorphic const& x, std::int64_t blocks, Bytes bytes, Bytes block) {
  if (x.sizes().empty()) {
    figures.volume_blocks = static_cast<double>(blocks);
    figures.volume_bytes = (blocks * block).value;
    return;
  }
  figures.volume_bytes = bytes.value;
  if (block.value > 0) figures.volume_blocks = static_cast<double>(bytes.value) / static_cast<double>(block.value);
}

/// Whether all messages of the algorithm cost alpha + beta*n on this machine.
bool cost_is_known(Isomorphic const& x, MachineCost const& cost) {
  if (!cost.links_unshared) return false;
  return cost.distance_is_free || (problem::unit_links(x.problem.algorithm) && cost.torus == x.problem.torus);
}

/// The time of messages that are all posted at once.
Seconds posted_time(Isomorphic const& x, MachineCost const& cost) {
  std::vector<Bytes> messages;
  for (int i = 0; i < x.routed.size(); ++i) {
    if (x.problem.torus.is_self(x.routed[i])) continue;
    messages.push_back(x.sizes().empty() ? x.block() : x.sizes()[static_cast<std::size_t>(i)]);
  }
  return posted_time(messages, cost.ports, cost.envelope, cost.usual);
}

Seconds time_of(Isomorphic const& x, Counts const& counts, MachineCost const& cost) {
  if (x.problem.algorithm == IsomorphicAlgorithm::posted) return posted_time(x, cost);
  return x.sizes().empty() ? time(counts, x.block(), cost.envelope, cost.usual)
                           : time_irregular(counts, cost.envelope, cost.usual);
}

/// The prediction if steps are searched: on one port `steiner` has D rounds, because its search only orders the D hops
/// of `torus`.
Figures searched(Isomorphic const& x) {
  Figures figures;
  if (x.problem.algorithm == IsomorphicAlgorithm::steiner && x.problem.ports == 1) {
    figures.rounds = alltoall_dimension_wise(x.problem.torus, x.routed).rounds;
  }
  return figures;
}

/// If the rounds on several ports are searched, theory only knows the volume.
Figures on_torus(Isomorphic const& x, MachineCost const& cost) {
  auto const [counts, least_rounds, has_closed_form] = counts_of(x);
  Figures figures;
  add_volume(figures, x, counts.volume_blocks, counts.volume_bytes, x.block());
  if (!has_closed_form) return figures;
  figures.rounds = counts.rounds;
  if (x.sizes().empty()) figures.critical_blocks = static_cast<double>(counts.critical_blocks);
  if (cost_is_known(x, cost)) figures.time_s = time_of(x, counts, cost).value;
  return figures;
}

/// Ranks near a side do less, so there is no closed form for the time.
Figures on_mesh(Isomorphic const& x) {
  MeshCounts const counts = mesh_counts(x);
  Figures figures;
  figures.rounds = counts.rounds;
  add_volume(figures, x, counts.volume_blocks, counts.volume_bytes, x.block());
  if (x.sizes().empty()) figures.total_blocks = static_cast<double>(counts.total_blocks);
  return figures;
}

/// Bounds as figures.
Figures bound(Isomorphic const& x, MachineCost const& cost) {
  int const ports = cost.ports;
  Bounds const bounds = bounds_of(x, ports);
  Figures figures;
  figures.rounds = bounds.rounds;
  if (x.sizes().empty()) {
    add_volume(figures, x, bounds.volume_blocks, Bytes(0), x.block());
    set_time(figures, time_bound(bounds, x.block(), ports, cost.cheapest));
  } else {
    add_volume(figures, x, 0, bounds.volume_bytes, x.block());
    Bytes const smallest = *std::min_element(x.sizes().begin(), x.sizes().end());
    set_time(figures, time_bound_irregular(bounds, smallest, ports, cost.cheapest));
  }
  return figures;
}

/// Whether the simulation must reproduce the time of theory, or the accounted one, exactly.
bool time_is_exact(Isomorphic const& x, MachineCost const& cost, bool accounted) {
  return accounted ? x.problem.boundary == Boundary::periodic && cost_is_known(x, cost) : cost.links_unshared;
}

/// Whether Algorithm 1 as printed sends a block again that has left: this is so for a block with more than one hop
/// along the first dimension in which it moves.
bool sends_stale_data(Isomorphic const& x) {
  if (x.problem.reading == problem::Reading::repaired) return false;
  std::vector<int> const order = dimension_order(x.problem);
  for (int i = 0; i < x.routed.size(); ++i) {
    auto const hops = [&](int j) {
      return x.problem.torus.extent(j) == 1 ? 0 : x.routed[i][static_cast<std::size_t>(j)];
    };
    auto const first = std::find_if(order.begin(), order.end(), [&](int j) { return hops(j) != 0; });
    if (first != order.end() && std::abs(hops(*first)) > 1) return true;
  }
  return false;
}

/// The counts that theory lacks, for a problem that it knows otherwise.
std::optional<std::string> accounted(Figures const& theory) {
  if (theory.rounds && theory.volume_bytes) return std::nullopt;
  return std::string(theory.rounds ? "" : "rounds ") + (theory.volume_bytes ? "" : "volume ") + "time";
}

}  // namespace

/// Dimensions of both kinds together have no closed form.
Prediction predict(problem::Isomorphic const& problem, MachineCost const& cost) {
  Isomorphic const x(problem);
  Prediction result;
  if (sends_stale_data(x)) return {{}, {}, "unit", false};  // nothing is predicted of it but that it fails
  bool const torus = problem.boundary == Boundary::periodic;
  bool const mesh = problem.boundary == Boundary::open;
  if (torus || mesh) {  // theory has nothing on dimensions of both kinds
    result.theory = is_searched(problem.algorithm) ? searched(x) : torus ? on_torus(x, cost) : on_mesh(x);
    result.accounted = accounted(result.theory);
  }
  result.bound = bound(x, cost);
  result.links = problem::unit_links(problem.algorithm) ? "unit" : "any";
  result.exact = time_is_exact(x, cost, is_searched(problem.algorithm) || result.accounted);
  return result;
}

/// Counts for the report of a neighborhood; blocks are counted separately and with shared prefixes.
DimensionWiseCounts dimension_wise_counts(problem::Isomorphic const& given) {
  problem::Isomorphic problem = given;
  problem.algorithm = IsomorphicAlgorithm::dimension_wise;
  std::vector<int> const order = dimension_order(problem);
  auto const read = [](auto const& separate, auto const& shared) {
    return DimensionWiseCounts{static_cast<double>(std::optional(separate.rounds).value()),
                               static_cast<double>(separate.volume_blocks), static_cast<double>(shared.volume_blocks)};
  };
  if (problem.boundary == Boundary::periodic) {
    Neighborhood const routed = problem::routed(problem);
    return read(alltoall_dimension_wise(problem.torus, routed), allgather_dimension_wise(problem.torus, routed, order));
  }
  if (problem.boundary != Boundary::open) return {};
  return read(alltoall_dimension_wise_on_mesh(problem.torus, problem.neighborhood, order, 1),
              allgather_dimension_wise_on_mesh(problem.torus, problem.neighborhood, order, 1));
}

/// The size of a block up to which combining is faster than one message for each neighbor.
std::optional<double> cutoff(problem::Isomorphic const& problem, MachineCost const& cost) {
  if (problem.boundary != Boundary::periodic || problem.sizes.differ()) return std::nullopt;
  auto const counted = [&](IsomorphicAlgorithm algorithm) {
    problem::Isomorphic by = problem;
    by.algorithm = algorithm;
    Isomorphic const each(by);
    PortedCounts result = counts_of(each);
    result.counts.volume_blocks = result.counts.critical_blocks;  // what a round on several ports takes
    return result;
  };
  LinearCost carried = cost.usual;
  carried.alpha = carried.alpha + cost.envelope / carried.bandwidth;
  PortedCounts const combining = counted(IsomorphicAlgorithm::dimension_wise);
  if (!combining.has_closed_form) return std::nullopt;
  auto const cut = cutoff(combining.counts, counted(IsomorphicAlgorithm::straightforward).counts, carried);
  using Faster = Cutoff::Faster;
  // Claims compare m < m_cut, which must mean "combining is faster". So m_cut is a finite number even if it is faster
  // for every m. If it is faster above a size instead, there is no such number.
  if (cut.faster == Faster::never) return 0;
  if (cut.faster == Faster::always) return std::numeric_limits<double>::max();
  if (cut.faster == Faster::below) return cut.bytes;
  return std::nullopt;
}

}  // namespace rondo::theory
