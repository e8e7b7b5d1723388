// Agreement by one reduction: the largest value and the largest complement are equal at all ranks only if all values
// are.

#include "mpi_library/calls/agreement.hpp"

#include <algorithm>
#include <array>

#include "mpi/runtime/failure.hpp"

namespace rondo::mpi {

/// Mixes a number into the state.
void Fingerprint::add(std::int64_t number) {
  // The finalizer of splitmix64, which is a bijection, over a state that depends on all numbers before.
  std::uint64_t mixed = (value_ ^ static_cast<std::uint64_t>(number)) + 0x9e3779b97f4a7c15U;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9U;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebU;
  value_ = mixed ^ (mixed >> 31);
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

/// A reduction up a binomial tree, and a broadcast down the same tree.
std::vector<std::int64_t> largest_of_all(std::vector<std::int64_t> mine, MPI_Comm comm, int tag) {
  int rank = 0, size = 0;
  check(MPI_Comm_rank(comm, &rank));
  check(MPI_Comm_size(comm, &size));
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

}  // namespace rondo::mpi
