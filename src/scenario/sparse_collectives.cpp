// The keys of classical collectives on process graphs (problem/graph_collectives.hpp): each edge of the graph carries
// what the collective sends between two ranks.

#include <fmt/format.h>

#include "scenario/kinds.hpp"

namespace rondo::scenario {
namespace {

using problem::SparseOnGraph;

/// Refuses `torus` on a graph that is not made of one.
void expect_torus(Place const& collective, SparseOnGraph const& problem) {
  if (problem.algorithm != problem::NeighborAlgorithm::dimension_wise || made_of_torus(problem.graph)) return;
  Place const kind = collective["graph"]["kind"];
  throw kind.error(
      fmt::format("expected \"moore\" or \"offsets\" for the algorithm \"torus\", got {}", shown(kind.value)));
}

/// Reads such a collective; its graph is made later.
Problem read_sparse_on_graph(problem::Kind kind, Place const& collective, Setting const& setting,
                             Table<SparseOnGraph> const& keys) {
  auto const on_graph = problem::sparse_collective(kind);
  expects(on_graph.has_value(), "a reader for each kind of collective");
  SparseOnGraph problem{*on_graph, read_graph_source(collective["graph"], setting.seed)};
  problem.block = setting.block;
  problem.algorithm = known_value<problem::NeighborAlgorithm>(setting.algorithm);
  problem.ports = setting.machine.ports;
  read_keys(keys, collective, problem);
  expect_torus(collective, problem);
  int const p = ranks(problem.graph);
  if (problem.root < p) return problem;
  throw collective["root"].error(fmt::format("expected a rank, from 0 to {}, got {}", p - 1, problem.root));
}

CollectiveKind on_graph(problem::Kind kind, char const* description, Table<SparseOnGraph> const& more = {}) {
  return kind_of_keys(kind, description, Table<SparseOnGraph>{graph_key<SparseOnGraph>()} + more, read_sparse_on_graph);
}

}  // namespace

std::vector<CollectiveKind> sparse_collective_kinds() {
  using enum problem::Kind;
  Table<SparseOnGraph> const root{root_key<SparseOnGraph>()};
  return {
      on_graph(sparse_allreduce, "MPI_Allreduce on a process graph: every rank reduces the blocks of its sources",
               within(&SparseOnGraph::options, common_neighbors_keys())),
      on_graph(sparse_bcast, "MPI_Bcast on a process graph: the root sends its block to each of its targets", root),
      on_graph(sparse_gather,
               "MPI_Gather on a process graph: the root receives a block along each edge that leads to it", root),
      on_graph(sparse_scatter,
               "MPI_Scatter on a process graph: the root sends a different block along each of its edges", root),
      on_graph(sparse_reduce, "MPI_Reduce on a process graph: the root reduces the blocks of its sources", root),
      on_graph(sparse_barrier, "MPI_Barrier on a process graph: every rank waits for its sources; /block is \"0B\""),
  };
}

}  // namespace rondo::scenario
