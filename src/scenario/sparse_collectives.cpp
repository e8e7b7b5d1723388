#include <fmt/format.h>

#include "scenario/kinds.hpp"

namespace rondo::scenario {
namespace {

/// Refuses `torus` on a graph that is not made of one.
void expect_torus(Place const& collective, problem::SparseOnGraph const& problem) {
  if (problem.algorithm != problem::NeighborAlgorithm::dimension_wise || made_of_torus(problem.graph)) return;
  Place const kind = collective["graph"]["kind"];
  throw kind.error(
      fmt::format("expected \"moore\" or \"offsets\" for the algorithm \"torus\", got {}", shown(kind.value)));
}

Problem read_sparse_on_graph(problem::Kind kind, Place const& collective, Setting const& setting) {
  auto const on_graph = problem::sparse_collective(kind);
  expects(on_graph.has_value(), "a reader for each kind of collective");
  problem::SparseOnGraph problem{*on_graph, read_graph_source(collective["graph"], setting.seed)};
  problem.block = setting.block;
  problem.algorithm = known_value<problem::NeighborAlgorithm>(setting.algorithm);
  problem.options = read_common_neighbors(collective);
  problem.ports = setting.machine.ports;
  expect_torus(collective, problem);
  problem.root = collective.value.value("root", problem.root);
  int const p = ranks(problem.graph);
  if (problem.root < p) return problem;
  throw collective["root"].error(fmt::format("expected a rank, from 0 to {}, got {}", p - 1, problem.root));
}

CollectiveKind without_root(problem::Kind kind, char const* description) {
  return {kind, branch_text(description, R"(["graph"])"), {{"graph", graph_schema}}, read_sparse_on_graph};
}
CollectiveKind with_root(problem::Kind kind, char const* description) {
  CollectiveKind result = without_root(kind, description);
  result.shared.emplace_back("root", root_schema);
  return result;
}
CollectiveKind combined(problem::Kind kind, char const* description) {
  CollectiveKind result = without_root(kind, description);
  for (auto const& key : common_neighbors_keys()) result.shared.push_back(key);
  return result;
}

}  // namespace

std::vector<CollectiveKind> sparse_collective_kinds() {
  return {
      combined(problem::Kind::sparse_allreduce,
               "MPI_Allreduce on a process graph: every rank reduces the blocks of its sources"),
      with_root(problem::Kind::sparse_bcast,
                "MPI_Bcast on a process graph: the root sends its block to each of its targets"),
      with_root(problem::Kind::sparse_gather,
                "MPI_Gather on a process graph: the root receives a block along each edge that leads to it"),
      with_root(problem::Kind::sparse_scatter,
                "MPI_Scatter on a process graph: the root sends a different block along each of its edges"),
      with_root(problem::Kind::sparse_reduce,
                "MPI_Reduce on a process graph: the root reduces the blocks of its sources"),
      without_root(problem::Kind::sparse_barrier,
                   R"(MPI_Barrier on a process graph: every rank waits for its sources; /block is \"0B\")"),
  };
}

}  // namespace rondo::scenario
