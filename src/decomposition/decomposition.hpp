#pragma once

#include <vector>

namespace rondo {

/// Steps that all ranks take one after the other, and which of them the block of each neighbor takes. Neighbor i lies
/// at the sum of steps[u] over u in uses[i]; an offset that leads back to the rank itself uses no step.
struct Decomposition {
  std::vector<std::vector<int>> steps;  ///< d integers each
  std::vector<std::vector<int>> uses;   ///< one list a neighbor, increasing
  bool least = false;                   ///< whether an exact search proved it smallest
};

}  // namespace rondo
