#include "mpi_library/graph/offset_counts.hpp"

namespace rondo::mpi {

OffsetCounts offset_counts(CartesianNaming const& naming, int self, std::span<int const> targets) {
  OffsetCounts result;
  for (int const target : targets) {
    if (target < 0) continue;
    if (auto const offset = naming.offset(self, target)) ++result[*offset];
  }
  return result;
}

std::vector<int> flat(OffsetCounts const& counts) {
  std::vector<int> result;
  for (auto const& [offset, times] : counts) {
    result.insert(result.end(), offset.begin(), offset.end());
    result.push_back(times);
  }
  return result;
}

}  // namespace rondo::mpi
