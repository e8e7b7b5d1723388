// Chooses the generator of an inter-group collective, and states its promise.

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
    case problem::IntergroupAlgorithm::torus_rings:
      return intergroup_torus_rings(problem);
  }
  throw ContractViolation("an algorithm of intergroup_allgather");
}

Collective promise(problem::Intergroup const& problem) {
  return IntergroupPromise{problem.groups, intergroup_pieces(problem), problem.collective};
}

}  // namespace rondo::generate
