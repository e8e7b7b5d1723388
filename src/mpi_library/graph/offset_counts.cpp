// Counts the neighbors of a rank by their offsets.

#include "mpi_library/graph/offset_counts.hpp"

namespace rondo::mpi {

/// Neighbors without coordinates are left out.
OffsetCounts offset_counts(CartesianNaming const& naming, int self, std::span<int const> targets) {
  OffsetCounts result;
  for (int const target : targets) {
    if (target < 0) continue;
    if (auto const offset = naming.offset(self, target)) ++result[*offset];
  }
  return result;
}

/// The counts as a list for messages: coordinates and count of each offset.
std::vector<int> flat(OffsetCounts const& counts) {
  std::vector<int> result;
  for (auto const& [offset, times] : counts) {
    result.insert(result.end(), offset.begin(), offset.end());
    result.push_back(times);
  }
  return result;
}

}  // namespace rondo::mpi
