#include "scenario/kinds.hpp"

namespace rondo::scenario {
namespace {

constexpr char const* theta_schema = R"json({
"type": "integer", "minimum": 2, "maximum": 16777216,
"description": "how many neighbors two ranks must have in common to be friends; 4 by default"
})json";

constexpr char const* tie_schema = R"json({
"type": "string", "enum": "tie",
"description": "which of several friends with as many common neighbors a rank chooses; highest by default"
})json";

constexpr char const* suitors_schema = R"json({
"type": "string", "enum": "suitors",
"description": "which of the friends that chose it a rank may accept: literal (by default): those that it has not given up itself; active: all that are neither paired nor terminal, as the author's code does"
})json";

constexpr char const* half_schema = R"json({
"type": "string", "enum": "half",
"description": "whether the lower rank of a pair takes floor or ceil of half the common neighbors; floor by default"
})json";

constexpr char const* cumulative_schema = R"json({
"type": "boolean", "description": "combine onloaded neighbors again in later iterations; false by default"
})json";

constexpr char const* persistent_schema = R"json({
"type": "boolean",
"description": "build the schedule once, in the first call; false adds build_time to each call's time, ahead of its first message; true by default"
})json";

constexpr char const* build_cost_schema = R"json({
"type": "string", "title": "a string with a unit such as \"6ns\"",
"description": "building the schedule of combined messages takes build_time: this, up to 1s, times the square of the number of messages that the busiest rank sends and receives; naive ones take none; \"6ns\" by default"
})json";

constexpr char const* setup_schema = R"json({
"type": "boolean",
"description": "simulate how the ranks find the pattern by messages too: on the SMPI engine, up to 1024 ranks and 4000000 messages; true by default"
})json";

constexpr char const* sizes_by_rank_schema = R"json({
"type": ["array", "string"],
"title": "a list of sizes, one for each rank, or an expression",
"minItems": 1,
"minLength": 1,
"items": {"type": "string", "title": "a string with a unit such as \"64KiB\"", "description": "the size of a block"},
"description": "the size of each rank's block where they differ (allgatherv): a list, or bytes as an expression in the rank r, its numbers of targets and sources, p and m, such as m*(1+r)"
})json";

constexpr char const* edge_sizes_schema = R"json({
"type": ["array", "string"],
"title": "a list of sizes, one for each edge, or an expression",
"minItems": 1,
"minLength": 1,
"items": {"type": "string", "title": "a string with a unit such as \"64KiB\"", "description": "the size of a block"},
"description": "the size of each edge's block where they differ (alltoallv): a list, rank by rank in the order of its targets, or bytes as an expression in the edge's source, target and weight w, p and m, such as m*w"
})json";

Problem read_neighbor(problem::Kind kind, Place const& collective, Setting const& setting) {
  bool const allgather = kind == problem::Kind::neighbor_allgather;
  problem::Neighbor problem{allgather ? problem::NeighborCollective::allgather : problem::NeighborCollective::alltoall,
                            read_graph_source(collective["graph"], setting.seed),
                            read_block_sizes(collective, setting.block)};
  problem.algorithm = known_value<problem::NeighborAlgorithm>(setting.algorithm);
  problem.options.theta = collective.value.value("theta", problem.options.theta);
  problem.options.tie = word_at(collective, "tie", problem.options.tie);
  problem.options.suitors = word_at(collective, "suitors", problem.options.suitors);
  problem.options.half = word_at(collective, "half", problem.options.half);
  if (collective.value.value("cumulative", false)) problem.options.combining = problem::Combining::cumulative;
  problem.persistent = collective.value.value("persistent", true);
  problem.build_cost = collective.unit("build_cost", parse_seconds, problem.build_cost);
  if (problem.build_cost > Seconds(1)) {
    throw collective["build_cost"].error("expected a time of at most 1s, got " + shown(collective["build_cost"].value));
  }
  problem.setup = collective.value.value("setup", true);
  return problem;
}

}  // namespace

std::vector<CollectiveKind> neighbor_kinds() {
  std::vector<std::pair<char const*, char const*>> const shared = {{"graph", graph_schema},
                                                                   {"theta", theta_schema},
                                                                   {"tie", tie_schema},
                                                                   {"suitors", suitors_schema},
                                                                   {"half", half_schema},
                                                                   {"cumulative", cumulative_schema},
                                                                   {"persistent", persistent_schema},
                                                                   {"build_cost", build_cost_schema},
                                                                   {"setup", setup_schema}};
  auto const with = [&](char const* sizes) {
    auto keys = shared;
    keys.emplace_back("block_sizes", sizes);
    return keys;
  };
  return {{problem::Kind::neighbor_allgather,
           R"json({
             "description": "every rank sends its one block along all its edges of a process graph",
             "required": ["kind", "graph"]
           })json",
           with(sizes_by_rank_schema), read_neighbor},
          {problem::Kind::neighbor_alltoall,
           R"json({
             "description": "every rank sends a block of its own along each of its edges of a process graph",
             "required": ["kind", "graph"]
           })json",
           with(edge_sizes_schema), read_neighbor}};
}

}  // namespace rondo::scenario
