// The prediction for collectives between two groups.

#include "base/error.hpp"
#include "theory/intergroup.hpp"
#include "theory/predict.hpp"

namespace rondo::theory {
namespace {

using problem::IntergroupAlgorithm;

/// The counts by algorithm.
IntergroupCounts counts_of(problem::Intergroup const& problem) {
  switch (problem.algorithm) {
    case IntergroupAlgorithm::group_allgather:
      return group_allgather(problem.groups, problem.sizes.block, problem.allgather, problem.broadcast, problem.ports);
    case IntergroupAlgorithm::receiver_allgather:
      return receiver_allgather(problem.groups, problem.sizes.block, problem.allgather, problem.ports);
    case IntergroupAlgorithm::root_gathering:
      return root_gathering(problem.groups, problem.sizes.block, problem.broadcast, problem.ports);
    case IntergroupAlgorithm::ring_sequences:
      return ring_sequences(problem.groups, problem.sizes.block);
    case IntergroupAlgorithm::ring_allgather:
      return ring_allgather(problem.groups, problem.sizes.block);
    case IntergroupAlgorithm::ring_optimal:
      return ring_optimal(problem.groups, problem.sizes.block);
    case IntergroupAlgorithm::torus_rings:
      return torus_rings(problem.collective, problem.groups, torus_of(problem), problem.sizes.block);
  }
  throw ContractViolation("an algorithm of two groups");
}

/// Whether each message of the algorithm takes alpha + beta*m on this machine. If the algorithm only uses neighbors,
/// these must be on neighboring hosts.
bool cost_is_known(problem::Intergroup const& problem, MachineCost const& cost) {
  return cost.links_unshared && (cost.distance_is_free || (unit_links(problem.algorithm) && cost.neighbors_beside));
}

/// Counts and times, in blocks and bytes.
Figures closed_form(problem::Intergroup const& problem, MachineCost const& cost) {
  // Of Algorithm 3 as printed, only its failure is predicted.
  bool const fails = problem.algorithm == IntergroupAlgorithm::ring_sequences &&
                     problem.reading == problem::Reading::printed &&
                     problem.groups.senders() < problem.groups.receivers();
  if (fails) return {};
  IntergroupCounts const counts = counts_of(problem);
  Figures figures;
  figures.rounds = counts.rounds;
  // The number of rounds does not depend on the sizes of blocks, but there is no closed form for the volumes.
  if (problem.sizes.differ()) return figures;
  figures.critical_blocks = counts.critical_blocks;
  figures.total_blocks = counts.total_blocks;
  figures.received_blocks = counts.received_blocks;
  // In some cases ranks wait for each other in ways that the chains do not describe. Then there is only an upper bound
  // of the time, which is no prediction.
  if (counts.exact_time && cost_is_known(problem, cost)) {
    figures.time_s = time(counts, cost.envelope, cost.usual).value;
  }
  return figures;
}

/// Volumes are in blocks of the size `block`; they are unset if it is 0.
void add_bounds_in_bytes(Figures& figures, IntergroupBounds const& bounds, problem::Intergroup const& problem,
                         MachineCost const& cost) {
  IntergroupBytes const bytes = in_bytes(bounds, problem.groups, cost.ports, problem.sizes.each);
  set_time(figures, time_bound(bounds, bytes, cost.cheapest));
  if (problem.sizes.block == Bytes(0)) return;
  auto const unit = static_cast<double>(problem.sizes.block.value);
  figures.critical_blocks = bytes.critical / unit;
  figures.total_blocks = static_cast<double>(bytes.total) / unit;
  figures.received_blocks = static_cast<double>(bytes.received) / unit;
}

/// The bounds for the links that the algorithm uses.
IntergroupBounds bounds_for(problem::Intergroup const& problem, int ports) {
  if (problem.algorithm == IntergroupAlgorithm::torus_rings) {
    return intergroup_bounds_torus(problem.collective, problem.groups, torus_of(problem), ports);
  }
  // The algorithms for the ring never combine blocks in a message.
  if (on_ring(problem.algorithm)) return intergroup_bounds_ring(problem.groups, ports, RingMessages::of_one_block);
  return intergroup_bounds_any(problem.collective, problem.groups, ports);
}

/// Bounds as figures; in bytes if sizes differ.
Figures bound_of(problem::Intergroup const& problem, MachineCost const& cost) {
  IntergroupBounds const bounds = bounds_for(problem, cost.ports);
  Figures figures;
  figures.rounds = bounds.rounds;
  if (problem.sizes.differ()) {
    add_bounds_in_bytes(figures, bounds, problem, cost);
    return figures;
  }
  figures.critical_blocks = bounds.critical_blocks;
  figures.total_blocks = static_cast<double>(bounds.total_blocks);
  figures.received_blocks = static_cast<double>(bounds.received_blocks);
  set_time(figures, time_bound(bounds, problem.sizes.block, cost.cheapest));
  return figures;
}

}  // namespace

/// With the collectives of an MPI library as building blocks, only bounds are known.
Prediction predict(problem::Intergroup const& problem, MachineCost const& cost) {
  bool const by_library = problem.building_blocks == problem::BuildingBlocks::mpi;
  if (by_library) return {{}, bound_of(problem, cost), "any", false};
  Prediction prediction{closed_form(problem, cost), bound_of(problem, cost),
                        unit_links(problem.algorithm) ? "unit" : "any", cost.links_unshared};
  if (on_ring(problem.algorithm)) prediction.message_blocks = 1;
  return prediction;
}

}  // namespace rondo::theory
