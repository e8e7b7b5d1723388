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

/// The number of targets that are ranks; MPI_PROC_NULL is negative.
std::ptrdiff_t number_of_ranks(std::span<int const> targets) {
  return std::ranges::count_if(targets, [](int target) { return target >= 0; });
}

std::ptrdiff_t total(OffsetCounts const& counts) {
  std::ptrdiff_t sum = 0;
  for (auto const& [offset, times] : counts) sum += times;
  return sum;
}

/// Collective. Gathers the lists of all ranks into one, in the order of the ranks.
std::vector<int> gathered(MPI_Comm comm, std::vector<int> const& mine) {
  int ranks = 0;
  check(MPI_Comm_size(comm, &ranks));
  auto const length = static_cast<int>(mine.size());
  std::vector<int> lengths(static_cast<std::size_t>(ranks)), starts;
  check(PMPI_Allgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, comm));
  int total = 0;
  for (int const each : lengths) starts.push_back(std::exchange(total, total + each));
  // One element more gives MPI a buffer even if all lists are empty.
  std::vector<int> all(static_cast<std::size_t>(total) + 1);
  check(PMPI_Allgatherv(mine.data(), length, MPI_INT, all.data(), lengths.data(), starts.data(), MPI_INT, comm));
  all.pop_back();
  return all;
}

/// Each offset with the largest number of edges that any rank has for it. `lists` has the counts of all ranks, each in
/// the form of flat().
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

bool is_isomorphic(MPI_Comm comm, CartesianNaming const& naming, std::span<int const> targets) {
  OwnComm const own(comm);
  int self = 0;
  check(MPI_Comm_rank(comm, &self));
  OffsetCounts const mine = offset_counts(naming, self, targets);
  bool const all_named = naming.coordinates(self).has_value() && total(mine) == number_of_ranks(targets);
  OffsetCounts expected = united(gathered(own.handle(), flat(mine)), static_cast<std::size_t>(naming.dimensions()));
  // An offset that leads from this rank to no rank is not expected of it.
  std::erase_if(expected, [&](auto const& each) { return !naming.relative_rank(self, each.first); });
  int const same = all_named && mine == expected ? 1 : 0;
  int all = 0;
  check(PMPI_Allreduce(&same, &all, 1, MPI_INT, MPI_MIN, own.handle()));
  return all != 0;
}

}  // namespace rondo::mpi
