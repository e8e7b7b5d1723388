// Tests whether all ranks have the same offsets, by gathering them.

#include "mpi_library/graph/isomorphic_graph.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "mpi/runtime/failure.hpp"
#include "mpi/runtime/own_comm.hpp"
#include "mpi_library/graph/offset_counts.hpp"

namespace rondo::mpi {
namespace {

/// How many of them are ranks.
std::ptrdiff_t number_of_ranks(std::span<int const> targets) {
  return std::ranges::count_if(targets, [](int target) { return target >= 0; });
}

std::ptrdiff_t total(OffsetCounts const& counts) {
  std::ptrdiff_t sum = 0;
  for (auto const& [offset, times] : counts) sum += times;
  return sum;
}

/// The lists of all ranks, one behind the other.
std::vector<int> gathered(MPI_Comm comm, std::vector<int> const& mine) {
  int ranks = 0;
  check(MPI_Comm_size(comm, &ranks));
  auto const length = static_cast<int>(mine.size());
  std::vector<int> lengths(static_cast<std::size_t>(ranks)), starts;
  check(PMPI_Allgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, comm));
  int total = 0;
  for (int const each : lengths) starts.push_back(std::exchange(total, total + each));
  std::vector<int> all(static_cast<std::size_t>(total) + 1);
  check(PMPI_Allgatherv(mine.data(), length, MPI_INT, all.data(), lengths.data(), starts.data(), MPI_INT, comm));
  all.pop_back();
  return all;
}

/// Each offset with the largest number of edges that any rank has for it.
OffsetCounts united(std::vector<int> const& lists, std::size_t dimensions) {
  OffsetCounts result;
  for (auto at = lists.begin(); at != lists.end();) {
    auto const end = at + static_cast<std::ptrdiff_t>(dimensions);
    int& times = result[Vector(at, end)];
    times = std::max(times, *end);
    at = end + 1;
  }
  return result;
}

}  // namespace

/// Collects the offsets of all ranks; the graph is isomorphic if each rank has all of them that lead to a rank.
bool is_isomorphic(MPI_Comm comm, CartesianNaming const& naming, std::span<int const> targets) {
  OwnComm const own(comm);
  int self = 0;
  check(MPI_Comm_rank(comm, &self));
  OffsetCounts const mine = offset_counts(naming, self, targets);
  bool const known = naming.coordinates(self).has_value() && total(mine) == number_of_ranks(targets);
  OffsetCounts expected = united(gathered(own.handle(), flat(mine)), static_cast<std::size_t>(naming.dimensions()));
  std::erase_if(expected, [&](auto const& each) { return !naming.relative_rank(self, each.first); });
  int const same = known && mine == expected ? 1 : 0;
  int all = 0;
  check(PMPI_Allreduce(&same, &all, 1, MPI_INT, MPI_MIN, own.handle()));
  return all != 0;
}

}  // namespace rondo::mpi
