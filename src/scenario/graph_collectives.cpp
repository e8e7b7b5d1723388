// The keys of collectives on process graphs (problem/graph_collectives.hpp): neighborhood collectives [Mirsadeghi17],
// and classical collectives, in which each edge of the graph carries what the collective sends between two ranks. The
// options of common_neighbors, which several kinds of collectives have, are here too.

#include <fmt/format.h>

#include "scenario/kinds.hpp"

namespace rondo::scenario {

Table<problem::CommonNeighbors> const& common_neighbors_keys() {
  using problem::CommonNeighbors;
  static Table<CommonNeighbors> const table = {
      key("theta", &CommonNeighbors::theta, integer(2, 16777216),
          "the number of common neighbors that makes two ranks friends, who may combine messages"),
      key("tie", &CommonNeighbors::tie, word<problem::FriendTie>(),
          "which friend a rank chooses if several have the same number of common neighbors: the one with the highest "
          "or the lowest rank"),
      key("suitors", &CommonNeighbors::suitors, word<problem::Suitors>(),
          "which friends a rank may accept of those that chose it: literal (by default), those that it has not removed "
          "from its own list; active, all that are neither paired nor finished, as in the author's code"),
      key("half", &CommonNeighbors::half, word<problem::Half>(),
          "whether the lower rank of a pair serves the smaller (floor) or the larger half (ceil) of the common "
          "neighbors"),
      key("cumulative", &CommonNeighbors::combining,
          flag_of<problem::Combining::single, problem::Combining::cumulative>(),
          "whether messages that were combined in an earlier iteration are combined again"),
  };
  return table;
}

template <>
problem::Neighbor usual() {
  return {.graph = {}, .sizes = Bytes(0)};
}

namespace {

using problem::Neighbor;

/// The title and the meaning are those of block_sizes.
Table<Neighbor> keys_with_sizes(std::string_view title, std::string_view meaning) {
  Table<Neighbor> const sizes = {key<Neighbor>("block_sizes", sizes_or_expression(title), meaning)};
  return Table<Neighbor>{graph_key<Neighbor>()} + within(&Neighbor::options, common_neighbors_keys()) +
         Table<Neighbor>{
             key("persistent", &Neighbor::persistent, flag(),
                 "build the schedule once, in the first call. If false, each call takes build_time before its first "
                 "message"),
             key("build_cost", &Neighbor::build_cost, time("6ns"),
                 "the build_time of a schedule of combined messages is this, up to 1s, times the square of the number "
                 "of messages that the busiest rank sends and receives. Naive schedules take no time"),
             key("setup", &Neighbor::setup, flag(),
                 "also simulate the messages by which the ranks find the pattern: on the SMPI engine, up to 1024 ranks "
                 "and 4000000 messages")} +
         sizes;
}

/// Reads a neighborhood collective; its graph is made later.
Problem read_neighbor(problem::Kind kind, Place const& collective, Setting const& setting,
                      Table<Neighbor> const& keys) {
  bool const allgather = kind == problem::Kind::neighbor_allgather;
  Neighbor problem{allgather ? problem::NeighborCollective::allgather : problem::NeighborCollective::alltoall,
                   read_graph_source(collective["graph"], setting.seed), read_block_sizes(collective, setting.block)};
  problem.algorithm = known_value<problem::NeighborAlgorithm>(setting.algorithm);
  read_keys(keys, collective, problem);
  if (problem.build_cost > Seconds(1)) {
    throw collective["build_cost"].error("expected a time of at most 1s, got " + shown(collective["build_cost"].value));
  }
  return problem;
}

}  // namespace

std::vector<CollectiveKind> neighbor_kinds() {
  return {
      kind_of_keys(problem::Kind::neighbor_allgather,
                   "every rank sends the same block along all its edges of a process graph",
                   keys_with_sizes("a list of sizes, one for each rank, or an expression",
                                   "for allgatherv: the size of each rank's block, as a list, or as an expression of "
                                   "the rank r, its numbers of targets and sources, p and m, such as m*(1+r)"),
                   read_neighbor),
      kind_of_keys(problem::Kind::neighbor_alltoall,
                   "every rank sends a different block along each of its edges of a process graph",
                   keys_with_sizes(
                       "a list of sizes, one for each edge, or an expression",
                       "for alltoallv: the size of each edge's block, as a list, rank by rank in the order of its "
                       "targets, or as an expression of the edge's source, target and weight w, p and m, such as m*w"),
                   read_neighbor)};
}

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
