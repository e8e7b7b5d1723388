// Finds common neighbors at the first call that may profit from them, and estimates the work of both algorithms.

#include "mpi_library/graph/combining_graph.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "mpi/runtime/failure.hpp"
#include "mpi/setup/common_neighbors.hpp"
#include "mpi_library/graph/combined_program.hpp"

namespace rondo::mpi {
namespace {

int rank_in(MPI_Comm comm) {
  int rank = 0;
  check(MPI_Comm_rank(comm, &rank));
  return rank;
}

/// The list without MPI_PROC_NULL.
std::vector<Rank> ranks_among(std::vector<int> const& list) {
  std::vector<Rank> result;
  for (int const rank : list) {
    if (rank >= 0) result.emplace_back(rank);
  }
  return result;
}

/// The number of edges that lead to other ranks than the rank itself.
double edges_away(std::vector<int> const& list, int self) {
  return static_cast<double>(std::ranges::count_if(list, [&](int rank) { return rank >= 0 && rank != self; }));
}

bool has_repeated(std::vector<int> const& list) {
  std::set<int> seen;
  return std::ranges::any_of(list, [&](int rank) { return rank >= 0 && !seen.insert(rank).second; });
}

}  // namespace

/// Done at the first call that needs it, because it takes messages; the result is kept with the communicator.
void look_for_common_neighbors(AttachedTopology& home) {
  if (home.combining != nullptr) return;
  ProcessTopology const& topology = *home.topology;
  auto found = std::make_shared<CombiningGraph>();
  OwnComm const own(home.comm->handle());
  found->pattern =
      common_neighbors(ranks_among(topology.targets.ranks), ranks_among(topology.sources.ranks), {}, own.handle());
  int const self = rank_in(own.handle());
  auto const work = [&](NeighborCollective kind) {
    Program const program = combined_program(kind, topology, found->pattern, Rank(self), Bytes(1));
    return sum_of_largest(work_by_round(program), own.handle());
  };
  found->allgather = work(NeighborCollective::allgather);
  found->alltoall = work(NeighborCollective::alltoall);
  double const edges = std::max(edges_away(topology.targets.ranks, self), edges_away(topology.sources.ranks, self));
  found->separate = sum_of_largest({{edges, edges}}, own.handle());
  int const mine = has_repeated(topology.targets.ranks) ? 1 : 0;
  int any = 0;
  check(PMPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, own.handle()));
  found->repeated = any != 0;
  home.combining = std::move(found);
}

}  // namespace rondo::mpi
