// The keys of MPI programs that Rondo brings along: dynamic sparse exchange [Hoefler10], and an independent set, a
// coloring and a bisection that use it.

#include <fmt/format.h>

#include <algorithm>

#include "scenario/kinds.hpp"
#include "topology/graph_generators.hpp"

namespace rondo::scenario {
namespace {

constexpr char const* pattern_schema = R"json({
"type": "object",
"title": "an object such as {\"kind\": \"random\", \"ranks\": 64, \"targets\": 8}",
"description": "the targets to which each rank sends one message; only that rank knows them",
"kinds": [
  {"kind": "random", "required": ["ranks", "targets"],
   "description": "the same number of different targets for each rank; random numbers come from /seed", "properties": {
     "ranks": {"type": "integer", "minimum": 1, "maximum": 16777216, "description": "the number of ranks"},
     "targets": {"type": "integer", "minimum": 0, "maximum": 16777215, "description": "the targets of each rank"}}},
  "moore", "geometric",
  {"kind": "hypercube", "required": ["ranks"],
   "description": "rank r sends to r xor 2^i for every i, if that rank exists", "properties": {
     "ranks": {"type": "integer", "minimum": 1, "maximum": 16777216, "description": "the number of ranks"}}},
  {"kind": "powerlaw", "required": ["ranks"],
   "description": "a rank has t targets with a probability proportional to t^-exponent; random numbers come from /seed", "properties": {
     "ranks": {"type": "integer", "minimum": 1, "maximum": 16777216, "description": "the number of ranks"},
     "exponent": {"type": "number", "minimum": 0, "maximum": 100, "description": "the exponent; 2 by default"},
     "most": {"type": "integer", "minimum": 1, "maximum": 1048576,
              "description": "the largest number of targets of a rank; all others, at most 1048576, by default"}}},
  {"kind": "edges",
   "description": "a list of edges, or a file of edges; an edge that is listed twice is one message; weights are not used", "properties": {
     "ranks": {"type": "integer", "minimum": 1, "maximum": 16777216,
               "description": "the number of ranks; without it the file decides"},
     "edges": {"type": "array", "title": "a list of edges",
               "items": {"type": "array", "title": "an edge: a list of two ranks", "minItems": 2, "maxItems": 2,
                         "items": {"type": "integer", "minimum": 0, "maximum": 16777215}},
               "description": "pairs of source and target"},
     "path": {"type": "string", "minLength": 1, "title": "the name of a file",
              "description": "a file with the edges, relative to the scenario's folder"},
     "checksum": {"type": "string", "minLength": 1, "title": "a checksum such as \"fnv1a:0123456789abcdef\"",
                  "description": "the checksum of that file. A file with another checksum is refused. Records contain it."}}}
]
})json";

using problem::Bisection;
using problem::ExchangeWays;
using problem::GraphProgram;
using problem::SparseExchange;

/// The options of the exchange itself, which all these programs have.
Table<ExchangeWays> ways_keys() {
  return {
      key("barrier", &ExchangeWays::barrier, word<problem::Barrier>(), "the barrier of nbx and nbx_tagged"),
      key("completion", &ExchangeWays::completion, word<problem::Completion>(),
          "how a rank waits: wait (by default) for any event; poll by probes and tests in turn, each of which takes "
          "/machine/poll"),
  };
}

Table<SparseExchange> exchange_keys() {
  return Table<SparseExchange>{{{"pattern", json_of(pattern_schema), true}}} +
         within(&SparseExchange::ways, ways_keys()) +
         Table<SparseExchange>{
             key("largest_block", &SparseExchange::largest_block, any_size("64KiB"),
                 "the largest size of a message: sizes are drawn uniformly from /block to this, by /seed; all are "
                 "/block by default"),
             key("exchanges", &SparseExchange::exchanges, integer(1, 1000000),
                 "how many exchanges follow each other. Times, messages and volumes are those of all exchanges"),
         };
}

Table<PointCloud> cloud_keys() {
  Form<std::array<double, 3>> const box{
      json_of(R"json({"type": "array", "title": "a list of three lengths", "minItems": 3, "maxItems": 3,
                      "items": {"type": "number", "title": "a length greater than 0", "exclusiveMinimum": 0}})json"),
      [](Place const& place) { return place.value.get<std::array<double, 3>>(); }};
  return {
      key("points", &PointCloud::points, long_integer(0, 100000000),
          "the points of the whole cloud; random numbers come from /seed", Need::required),
      key("cloud", &PointCloud::shape, word<CloudShape>(),
          "the places of the points: in the whole box, in eight small boxes in it, or all at one place"),
      key("box", &PointCloud::box, box, "the lengths of the box; [1, 1, 1] by default"),
      key("imbalance", &PointCloud::imbalance, number(0, 1),
          "the largest difference of a rank's initial number of points from the mean, as a share of the mean"),
  };
}

Table<Bisection> bisection_keys() {
  Table<Bisection> const ranks{
      key("ranks", &Bisection::ranks, integer(1, 16777216), "the number of ranks", Need::required)};
  return within(&Bisection::ways, ways_keys()) + ranks + within(&Bisection::cloud, cloud_keys());
}

using problem::GraphSource;
using problem::PowerLaw;
using problem::RandomTargets;

/// Checks that a rank can have so many different targets besides itself.
void expect_others(Place const& pattern, char const* key, int minimum, int ranks, int targets) {
  if (targets >= minimum && targets < ranks) return;
  throw pattern[key].error(
      fmt::format("expected from {} to {} targets of each of {} ranks, got {}", minimum, ranks - 1, ranks, targets));
}

RandomTargets read_random_targets(Place const& pattern, std::uint64_t seed) {
  RandomTargets const random{pattern["ranks"].integer(), pattern["targets"].integer(), seed};
  expect_others(pattern, "targets", 0, random.ranks, random.targets);
  return random;
}

/// Numbers of targets by a power law. By default a rank has at most all other ranks as targets.
PowerLaw read_powerlaw(Place const& pattern, std::uint64_t seed) {
  PowerLaw powerlaw;
  powerlaw.seed = seed;
  powerlaw.ranks = pattern["ranks"].integer();
  powerlaw.exponent = pattern.value.value("exponent", powerlaw.exponent);
  constexpr int most = 1 << 20;
  powerlaw.most = pattern.value.value("most", std::min(std::max(powerlaw.ranks - 1, 1), most));
  // A single rank has no targets, whatever the maximum is.
  if (powerlaw.ranks > 1) expect_others(pattern, "most", 1, powerlaw.ranks, powerlaw.most);
  return powerlaw;
}

GraphSource read_pattern(Place const& pattern, std::uint64_t seed) {
  std::string const kind = pattern["kind"].text();
  if (kind == "random") return read_random_targets(pattern, seed);
  if (kind == "hypercube") return problem::HypercubePattern{pattern["ranks"].integer()};
  if (kind == "powerlaw") return read_powerlaw(pattern, seed);
  // An exchange sends at most one message to each target, so parallel edges are one.
  GraphSource const graph = read_graph_source(pattern, seed);
  auto const* const stated = std::get_if<WeightedGraph>(&graph);
  return stated == nullptr ? graph : WeightedGraph{distinct(stated->graph), {}, stated->lacks_rank_0};
}

/// Reads an exchange. Sizes of messages are drawn by another seed than the pattern.
Problem read_sparse_exchange(problem::Kind /*kind*/, Place const& collective, Setting const& setting,
                             Table<SparseExchange> const& keys) {
  SparseExchange problem;
  problem.pattern = read_pattern(collective["pattern"], setting.seed);
  problem.ways.algorithm = known_value<problem::ExchangeAlgorithm>(setting.algorithm);
  problem.block = setting.block;
  problem.seed = ~setting.seed;  // other numbers than those of the pattern
  read_keys(keys, collective, problem);
  return problem;
}

/// Reads the independent set or the coloring.
Problem read_graph_program(problem::Kind kind, Place const& collective, Setting const& setting,
                           Table<GraphProgram> const& keys) {
  using Goal = GraphProgram::Goal;
  Goal const goal = kind == problem::Kind::coloring ? Goal::coloring : Goal::independent_set;
  ExchangeWays const ways{known_value<problem::ExchangeAlgorithm>(setting.algorithm)};
  // The program draws other random numbers than the graph.
  GraphProgram problem{goal, read_graph_source(collective["graph"], setting.seed), ways, setting.block, ~setting.seed};
  read_keys(keys, collective, problem);
  return problem;
}

/// Reads the bisection of a cloud of points.
Problem read_bisection(problem::Kind /*kind*/, Place const& collective, Setting const& setting,
                       Table<Bisection> const& keys) {
  Bisection problem;
  problem.ways.algorithm = known_value<problem::ExchangeAlgorithm>(setting.algorithm);
  problem.block = setting.block;
  problem.cloud.seed = setting.seed;
  read_keys(keys, collective, problem);
  return problem;
}

}  // namespace

std::vector<CollectiveKind> sparse_program_kinds() {
  Table<GraphProgram> const on_graph =
      Table<GraphProgram>{graph_key<GraphProgram>()} + within(&GraphProgram::ways, ways_keys());
  return {kind_of_keys(problem::Kind::sparse_exchange,
                       "every rank sends a message to each of its targets, and no rank knows who will send to it",
                       exchange_keys(), read_sparse_exchange),
          kind_of_keys(problem::Kind::independent_set,
                       "Luby's maximal independent set of the ranks, by sparse exchanges. Each edge counts in both "
                       "directions. Every rank checks the result. Each message carries /block additional bytes",
                       on_graph, read_graph_program),
          kind_of_keys(problem::Kind::coloring,
                       "a color for each rank that differs from the colors of its neighbors, by a maximal independent "
                       "set for each color. Every rank checks the result. Each message carries /block additional bytes",
                       on_graph, read_graph_program),
          kind_of_keys(problem::Kind::bisection,
                       "recursive inertial bisection of a point cloud into a part for each rank, by sparse exchanges. "
                       "Every rank checks the result. Each point carries /block additional bytes",
                       bisection_keys(), read_bisection)};
}

}  // namespace rondo::scenario
