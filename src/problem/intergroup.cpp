// Properties of problems between two groups.

#include "problem/intergroup.hpp"

namespace rondo::problem {

bool on_ring(IntergroupAlgorithm algorithm) {
  return algorithm == IntergroupAlgorithm::ring_sequences || algorithm == IntergroupAlgorithm::ring_allgather ||
         algorithm == IntergroupAlgorithm::ring_optimal;
}

bool unit_links(IntergroupAlgorithm algorithm) {
  return on_ring(algorithm) || algorithm == IntergroupAlgorithm::torus_rings;
}

Torus torus_of(Intergroup const& problem) { return problem.torus.value_or(Torus({problem.groups.ranks()})); }

void expect_groups(Intergroup const& problem) {
  if (problem.algorithm == IntergroupAlgorithm::ring_sequences) expect_even(problem.groups);
  if (problem.algorithm == IntergroupAlgorithm::receiver_allgather) expect_enough_senders(problem.groups);
  if (problem.algorithm == IntergroupAlgorithm::torus_rings) expect_rows(problem.groups, torus_of(problem));
}

bool has_building_blocks(IntergroupAlgorithm algorithm) {
  return algorithm == IntergroupAlgorithm::group_allgather || algorithm == IntergroupAlgorithm::root_gathering;
}

}  // namespace rondo::problem
