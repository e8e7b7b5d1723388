// Restricts a graph to the ranks of a part.

#include "mpi_library/graph/subgraph.hpp"

#include <cstddef>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "mpi/runtime/failure.hpp"
#include "mpi/runtime/own_comm.hpp"
#include "mpi_library/graph/sparse_collectives.hpp"

namespace rondo::mpi {
namespace {

/// 0 to size - 1.
std::vector<int> all_ranks(MPI_Comm comm) {
  int size = 0;
  check(MPI_Comm_size(comm, &size));
  std::vector<int> ranks(static_cast<std::size_t>(size));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

/// For each rank of `whole`, the rank of the same process in `part`, or MPI_UNDEFINED.
std::vector<int> ranks_in(MPI_Comm part, MPI_Comm whole) {
  MPI_Group group_of_part = MPI_GROUP_NULL, group_of_whole = MPI_GROUP_NULL;
  check(MPI_Comm_group(part, &group_of_part));
  check(MPI_Comm_group(whole, &group_of_whole));
  std::vector<int> const ranks = all_ranks(whole);
  std::vector<int> result(ranks.size());
  int const code = MPI_Group_translate_ranks(group_of_whole, static_cast<int>(ranks.size()), ranks.data(),
                                             group_of_part, result.data());
  MPI_Group_free(&group_of_part);
  MPI_Group_free(&group_of_whole);
  check(code);
  return result;
}

/// The neighbors that belong to the new communicator, with their new ranks; MPI_PROC_NULL and ranks outside of it are
/// dropped.
Neighbors within(Neighbors const& all, std::vector<int> const& ranks) {
  Neighbors result;
  for (std::size_t i = 0; i < all.ranks.size(); ++i) {
    if (all.ranks[i] < 0) continue;  // MPI_PROC_NULL
    int const rank = ranks[static_cast<std::size_t>(all.ranks[i])];
    if (rank == MPI_UNDEFINED) continue;
    result.ranks.push_back(rank);
    if (!all.weights.empty()) result.weights.push_back(all.weights[i]);
  }
  return result;
}

}  // namespace

/// A communicator with the same ranks and no topology.
MPI_Comm fully_connected(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) throw MpiFailure(MPI_ERR_COMM);
  int rank = 0;
  check(MPI_Comm_rank(comm, &rank));
  MPI_Comm result = MPI_COMM_NULL;
  check(PMPI_Comm_split(comm, 0, rank, &result));
  inherit_errhandler(comm, result);
  return result;
}

/// Attaches the edges between ranks of the part.
void carry_subgraph(MPI_Comm part, MPI_Comm whole) {
  if (part == MPI_COMM_NULL) return;
  auto const home = graph_of(whole);
  if (home == nullptr) return;
  std::vector<int> const ranks = ranks_in(part, whole);
  auto topology = std::make_shared<ProcessTopology>();
  topology->weighted = home->topology->weighted;
  topology->sources = within(home->topology->sources, ranks);
  topology->targets = within(home->topology->targets, ranks);
  attach_topology(part, std::move(topology), MPI_INFO_NULL);
}

}  // namespace rondo::mpi
