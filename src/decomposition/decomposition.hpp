#pragma once

// The value that all decompositions of a neighborhood produce, and from which generate makes a schedule.

#include <vector>

namespace rondo {

/// Steps that all ranks take one after the other, and the steps that the block of each neighbor takes. Neighbor i is at
/// the sum of steps[u] over all u in uses[i]. An offset that leads back to the rank itself uses no step.
struct Decomposition {
  std::vector<std::vector<int>> steps;  ///< d integers each
  std::vector<std::vector<int>> uses;   ///< one list for each neighbor, ascending
  bool is_smallest = false;             ///< whether an exact search proved that it is the smallest
};

}  // namespace rondo
