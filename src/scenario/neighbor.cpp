// The keys of neighborhood collectives on process graphs (problem/graph_collectives.hpp) [Mirsadeghi17].

#include "scenario/kinds.hpp"

namespace rondo::scenario {

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

}  // namespace rondo::scenario
