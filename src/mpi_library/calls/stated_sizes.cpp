// Compares the sizes of blocks at all ranks by one reduction of largest and smallest values.

#include "mpi_library/calls/stated_sizes.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "mpi_library/calls/agreement.hpp"

namespace rondo::mpi {
namespace {

constexpr std::int64_t nothing = std::numeric_limits<std::int64_t>::min();

std::vector<Bytes> sizes_of(std::vector<std::int64_t> const& said, std::size_t blocks) {
  std::vector<Bytes> result;
  for (std::size_t i = 0; i < blocks; ++i) result.emplace_back(said[i] == nothing ? 0 : said[i]);
  return result;
}

}  // namespace

StatedSizes::StatedSizes(std::size_t blocks) : largest_(blocks, nothing), opposite_(blocks, nothing) {}

void StatedSizes::state(std::size_t block, Bytes size) {
  largest_[block] = std::max(largest_[block], size.value);
  opposite_[block] = std::max(opposite_[block], -size.value);
}

std::vector<Bytes> StatedSizes::own() const { return sizes_of(largest_, largest_.size()); }

/// One reduction yields the largest and, from the opposites, the smallest size that ranks state for each block. Unset
/// if these differ, or if `right` is false at any rank.
std::optional<std::vector<Bytes>> StatedSizes::agreed(MPI_Comm comm, int tag, bool right) const {
  std::size_t const blocks = largest_.size();
  std::vector<std::int64_t> mine = largest_;
  mine.insert(mine.end(), opposite_.begin(), opposite_.end());
  mine.push_back(right ? 0 : 1);
  std::vector<std::int64_t> const all = largest_of_all(std::move(mine), comm, tag);
  bool same = all.back() == 0;
  for (std::size_t i = 0; i < blocks; ++i) same = same && (all[i] == nothing || all[i] == -all[blocks + i]);
  if (!same) return std::nullopt;
  return sizes_of(all, blocks);
}

}  // namespace rondo::mpi
