#include "problem/intergroup.hpp"

namespace rondo::problem {

bool on_ring(IntergroupAlgorithm algorithm) {
  return algorithm != IntergroupAlgorithm::group_allgather && algorithm != IntergroupAlgorithm::root_gathering;
}

}  // namespace rondo::problem
