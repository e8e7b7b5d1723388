// Agreement by one reduction: the largest value and the largest complement are equal at all ranks only if all values
// are. The sizes of blocks are compared by their largest and smallest values.

#include "mpi_library/calls/agreement.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "base/random.hpp"
#include "mpi/runtime/failure.hpp"

namespace rondo::mpi {

/// Mixes a number into the state.
void Fingerprint::add(std::int64_t number) {
  // A bijection, over a state that depends on all numbers before.
  value_ = mixed(value_ ^ static_cast<std::uint64_t>(number));
}

int agree(MPI_Comm comm, Vote const& mine) {
  // The largest complement is the complement of the smallest: one reduction gives both ends.
  std::uint64_t const arguments = mine.arguments.value();
  std::array<std::uint64_t, 3> const own{static_cast<std::uint64_t>(mine.code), arguments, ~arguments};
  std::array<std::uint64_t, 3> largest{};
  check(PMPI_Allreduce(own.data(), largest.data(), 3, MPI_UINT64_T, MPI_MAX, comm));
  if (largest[0] != MPI_SUCCESS) return static_cast<int>(largest[0]);
  return largest[1] == ~largest[2] ? MPI_SUCCESS : MPI_ERR_NOT_SAME;
}

namespace {

/// Collective. Returns for each entry of `mine` the largest value that any rank has there. All ranks must pass equally
/// many numbers. Messages with this tag go up a binomial tree to rank 0 and down again. This takes 2 ceil(log2 p)
/// messages one after the other; SMPI's own MPI_Allreduce takes p. Throws MpiFailure.
std::vector<std::int64_t> largest_of_all(std::vector<std::int64_t> mine, MPI_Comm comm, int tag) {
  int const rank = rank_in(comm), size = size_of(comm);
  auto const length = static_cast<int>(mine.size());
  std::vector<std::int64_t> theirs(mine.size());
  // Rank r's parent lacks r's lowest bit.
  int bit = 1;
  for (; bit < size && (rank & bit) == 0; bit *= 2) {
    if (rank + bit >= size) continue;
    check(PMPI_Recv(theirs.data(), length, MPI_INT64_T, rank + bit, tag, comm, MPI_STATUS_IGNORE));
    std::ranges::transform(mine, theirs, mine.begin(), [](auto a, auto b) { return std::max(a, b); });
  }
  if (rank != 0) {
    check(PMPI_Send(mine.data(), length, MPI_INT64_T, rank - bit, tag, comm));
    check(PMPI_Recv(mine.data(), length, MPI_INT64_T, rank - bit, tag, comm, MPI_STATUS_IGNORE));
  }
  for (bit /= 2; bit > 0; bit /= 2) {
    if (rank + bit < size) check(PMPI_Send(mine.data(), length, MPI_INT64_T, rank + bit, tag, comm));
  }
  return mine;
}

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
