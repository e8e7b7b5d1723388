// Chooses the generator of a neighborhood or sparse collective on a process graph, and states its promise.

#include "generate/generate.hpp"

#include "base/error.hpp"

namespace rondo::generate {

Schedule generate(problem::Neighbor const& problem) {
  if (problem.algorithm == problem::NeighborAlgorithm::naive) return neighbor_naive(problem);
  expects(problem.algorithm == problem::NeighborAlgorithm::common_neighbors, "an algorithm for a process graph");
  return neighbor_common_neighbors(problem, common_neighbors(graph_of(problem.graph), problem.options));
}

namespace {

bool reduces(SparseCollective collective) {
  return collective == SparseCollective::allreduce || collective == SparseCollective::reduce;
}

}  // namespace

/// A sparse collective that does not reduce has the schedule of the neighborhood collective on the same graph.
Schedule generate(problem::SparseOnGraph const& problem) {
  problem::Neighbor const used = as_neighborhood(problem);
  if (!reduces(problem.collective)) return generate(used);
  switch (problem.algorithm) {
    case problem::NeighborAlgorithm::naive:
      return neighbor_reduction(used);
    case problem::NeighborAlgorithm::dimension_wise:
      return sparse_reduction_dimension_wise(problem);
    case problem::NeighborAlgorithm::common_neighbors:
      return neighbor_reduction_combined(used, common_neighbors(graph_of(used.graph), problem.options));
    case problem::NeighborAlgorithm::automatic:
      break;
  }
  throw ContractViolation("an algorithm for a reduction on a process graph");
}

Collective promise(problem::Neighbor const& problem) {
  ProcessGraph const& graph = graph_of(problem.graph);
  if (problem.collective == problem::NeighborCollective::alltoall) return NeighborAlltoall{graph};
  return NeighborAllgather{graph};
}

Collective promise(problem::SparseOnGraph const& problem) {
  problem::Neighbor const used = as_neighborhood(problem);
  if (reduces(problem.collective)) return NeighborReduction{graph_of(used.graph)};
  return promise(used);
}

}  // namespace rondo::generate
