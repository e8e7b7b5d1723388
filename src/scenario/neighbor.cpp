#include "scenario/kinds.hpp"

namespace rondo::scenario {
namespace {

constexpr char const* persistent_schema = R"json({
"type": "boolean",
"description": "build the schedule once, in the first call. If false, each call takes build_time before its first message; true by default"
})json";

constexpr char const* build_cost_schema = R"json({
"type": "string", "title": "a string with a unit such as \"6ns\"",
"description": "the build_time of a schedule of combined messages is this, up to 1s, times the square of the number of messages that the busiest rank sends and receives. Naive schedules take no time; \"6ns\" by default"
})json";

constexpr char const* setup_schema = R"json({
"type": "boolean",
"description": "also simulate the messages by which the ranks find the pattern: on the SMPI engine, up to 1024 ranks and 4000000 messages; true by default"
})json";

constexpr char const* sizes_by_rank_schema = R"json({
"type": ["array", "string"],
"title": "a list of sizes, one for each rank, or an expression",
"minItems": 1,
"minLength": 1,
"items": {"type": "string", "title": "a string with a unit such as \"64KiB\"", "description": "the size of a block"},
"description": "for allgatherv: the size of each rank's block, as a list, or as an expression of the rank r, its numbers of targets and sources, p and m, such as m*(1+r)"
})json";

constexpr char const* edge_sizes_schema = R"json({
"type": ["array", "string"],
"title": "a list of sizes, one for each edge, or an expression",
"minItems": 1,
"minLength": 1,
"items": {"type": "string", "title": "a string with a unit such as \"64KiB\"", "description": "the size of a block"},
"description": "for alltoallv: the size of each edge's block, as a list, rank by rank in the order of its targets, or as an expression of the edge's source, target and weight w, p and m, such as m*w"
})json";

Problem read_neighbor(problem::Kind kind, Place const& collective, Setting const& setting) {
  bool const allgather = kind == problem::Kind::neighbor_allgather;
  problem::Neighbor problem{allgather ? problem::NeighborCollective::allgather : problem::NeighborCollective::alltoall,
                            read_graph_source(collective["graph"], setting.seed),
                            read_block_sizes(collective, setting.block)};
  problem.algorithm = known_value<problem::NeighborAlgorithm>(setting.algorithm);
  problem.options = read_common_neighbors(collective);
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
  auto const with = [](char const* sizes) {
    Keys keys{{"graph", graph_schema}};
    for (auto const& key : common_neighbors_keys()) keys.push_back(key);
    keys.emplace_back("persistent", persistent_schema);
    keys.emplace_back("build_cost", build_cost_schema);
    keys.emplace_back("setup", setup_schema);
    keys.emplace_back("block_sizes", sizes);
    return keys;
  };
  return {{problem::Kind::neighbor_allgather,
           R"json({
             "description": "every rank sends the same block along all its edges of a process graph",
             "required": ["graph"]
           })json",
           with(sizes_by_rank_schema), read_neighbor},
          {problem::Kind::neighbor_alltoall,
           R"json({
             "description": "every rank sends a different block along each of its edges of a process graph",
             "required": ["graph"]
           })json",
           with(edge_sizes_schema), read_neighbor}};
}

}  // namespace rondo::scenario
