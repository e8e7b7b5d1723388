#include "problem/intergroup.hpp"

namespace rondo::problem {

bool on_ring(IntergroupAlgorithm algorithm) {
  return algorithm == IntergroupAlgorithm::ring_sequences || algorithm == IntergroupAlgorithm::ring_allgather ||
         algorithm == IntergroupAlgorithm::ring_optimal;
}

bool has_building_blocks(IntergroupAlgorithm algorithm) {
  return algorithm == IntergroupAlgorithm::group_allgather || algorithm == IntergroupAlgorithm::root_gathering;
}

}  // namespace rondo::problem
