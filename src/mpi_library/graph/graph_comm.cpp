// Makes communicators with a whole graph (MPI_Graph_create), which every rank states in full, and restricts a graph
// to the ranks of a part.

#include "mpi_library/graph/graph_comm.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "mpi/runtime/failure.hpp"
#include "mpi/runtime/own_comm.hpp"
#include "mpi_library/calls/agreement.hpp"
#include "mpi_library/calls/attached.hpp"
#include "mpi_library/graph/sparse_collectives.hpp"

namespace rondo::mpi {
namespace {

/// The error class of lists that are no graph of at most so many ranks; MPI_SUCCESS for a graph.
int graph_error(int ranks, GraphLists const& lists) {
  if (lists.nodes < 0 || lists.nodes > ranks) return MPI_ERR_ARG;
  if (lists.nodes == 0) return MPI_SUCCESS;
  if (lists.index == nullptr) return MPI_ERR_ARG;
  int before = 0;
  for (int node = 0; node < lists.nodes; ++node) {
    if (lists.index[node] < before) return MPI_ERR_ARG;
    before = lists.index[node];
  }
  if (before > 0 && lists.edges == nullptr) return MPI_ERR_ARG;
  bool const known = std::all_of(lists.edges, lists.edges + before, [&](int e) { return e >= 0 && e < lists.nodes; });
  return known ? MPI_SUCCESS : MPI_ERR_ARG;
}

/// The vote of this rank about its arguments.
Vote vote_on_graph(MPI_Comm comm, GraphLists const& lists) {
  Vote vote;
  vote.code = graph_error(size_of(comm), lists);
  if (vote.code != MPI_SUCCESS) return vote;
  vote.arguments.add(lists.nodes);
  for (int node = 0; node < lists.nodes; ++node) vote.arguments.add(lists.index[node]);
  for (int i = 0; lists.nodes > 0 && i < lists.index[lists.nodes - 1]; ++i) vote.arguments.add(lists.edges[i]);
  return vote;
}

/// Whether, for any two ranks, each lists the other equally often.
bool is_symmetric(WholeGraph const& graph) {
  std::map<std::pair<int, int>, int> surplus;
  for (int node = 0; node < graph.nodes(); ++node) {
    for (int const other : graph.neighbors(node)) {
      if (other != node) surplus[std::minmax(node, other)] += node < other ? 1 : -1;
    }
  }
  return std::ranges::all_of(surplus, [](auto const& edge) { return edge.second == 0; });
}

/// A copy of the lists, since the caller may change them.
std::shared_ptr<WholeGraph const> graph_from(GraphLists const& lists) {
  auto result = std::make_shared<WholeGraph>();
  result->index.assign(lists.index, lists.index + lists.nodes);
  result->edges.assign(lists.edges, lists.edges + result->index.back());
  result->symmetric = is_symmetric(*result);
  return result;
}

/// The neighbors of one rank; a graph of this kind has the same sources and targets.
ProcessTopology topology_at(int rank, std::shared_ptr<WholeGraph const> graph) {
  ProcessTopology topology;
  topology.kind = ProcessTopology::Kind::whole_graph;
  auto const neighbors = graph->neighbors(rank);
  topology.sources.ranks.assign(neighbors.begin(), neighbors.end());
  topology.targets = topology.sources;
  topology.whole = std::move(graph);
  return topology;
}

}  // namespace

/// Ranks beyond the nodes of the graph get MPI_COMM_NULL.
MPI_Comm create_whole_graph(MPI_Comm comm, GraphLists const& lists) {
  expect_intra(comm);
  check(agree(comm, vote_on_graph(comm, lists)));
  int const rank = rank_in(comm);
  MPI_Comm result = MPI_COMM_NULL;
  check(PMPI_Comm_split(comm, rank < lists.nodes ? 0 : MPI_UNDEFINED, rank, &result));
  if (result == MPI_COMM_NULL) return result;
  inherit_errhandler(comm, result);
  attach_topology(result, std::make_shared<ProcessTopology const>(topology_at(rank, graph_from(lists))), MPI_INFO_NULL);
  return result;
}

std::shared_ptr<WholeGraph const> whole_graph(MPI_Comm comm) {
  auto const found = attached_topology(comm);
  if (found->topology->whole == nullptr) throw MpiFailure(MPI_ERR_TOPOLOGY);
  return found->topology->whole;
}

int rank_on_graph(MPI_Comm comm, GraphLists const& lists) {
  int const rank = rank_in(comm);
  check(graph_error(size_of(comm), lists));
  return rank < lists.nodes ? rank : MPI_UNDEFINED;
}

namespace {

/// For each rank of `whole`, the rank of the same process in `part`, or MPI_UNDEFINED.
std::vector<int> ranks_in(MPI_Comm part, MPI_Comm whole) {
  OwnGroup const in_part(part), in_whole(whole);
  return in_whole.translated(ranks_below(size_of(whole)), in_part);
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
  MPI_Comm result = MPI_COMM_NULL;
  check(PMPI_Comm_split(comm, 0, rank_in(comm), &result));
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
