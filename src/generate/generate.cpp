// From a problem to its algorithm's schedule, but for isomorphic ones, and to its promise.

#include "generate/generate.hpp"

#include "base/error.hpp"

namespace rondo::generate {

Schedule generate(problem::Intergroup const& problem) {
  switch (problem.algorithm) {
    case problem::IntergroupAlgorithm::group_allgather:
      return intergroup_group_allgather(problem);
    case problem::IntergroupAlgorithm::receiver_allgather:
      return intergroup_receiver_allgather(problem);
    case problem::IntergroupAlgorithm::root_gathering:
      return intergroup_root_gathering(problem);
    case problem::IntergroupAlgorithm::ring_sequences:
      return intergroup_ring_sequences(problem);
    case problem::IntergroupAlgorithm::ring_allgather:
      return intergroup_ring_allgather(problem);
    case problem::IntergroupAlgorithm::ring_optimal:
      return intergroup_ring_optimal(problem);
  }
  throw ContractViolation("an algorithm of intergroup_allgather");
}

Schedule generate(problem::Neighbor const& problem) {
  if (problem.algorithm == problem::NeighborAlgorithm::naive) return neighbor_naive(problem);
  expects(problem.algorithm == problem::NeighborAlgorithm::common_neighbors, "an algorithm for a process graph");
  return neighbor_common_neighbors(problem, common_neighbors(graph_of(problem.graph), problem.options));
}

Schedule generate(problem::SparseOnGraph const& problem) { return generate(as_neighborhood(problem)); }

Collective promise(problem::Isomorphic const& problem) {
  if (problem.collective == problem::NeighborCollective::alltoall) {
    return IsomorphicAlltoall{problem.torus, problem.neighborhood, problem.boundary};
  }
  return IsomorphicAllgather{problem.torus, problem.neighborhood, problem.boundary};
}

Collective promise(problem::Intergroup const& problem) {
  return IntergroupAllgather{problem.groups, intergroup_pieces(problem)};
}

Collective promise(problem::Neighbor const& problem) {
  ProcessGraph const& graph = graph_of(problem.graph);
  if (problem.collective == problem::NeighborCollective::alltoall) return NeighborAlltoall{graph};
  return NeighborAllgather{graph};
}

Collective promise(problem::SparseOnGraph const& problem) { return promise(as_neighborhood(problem)); }

}  // namespace rondo::generate
