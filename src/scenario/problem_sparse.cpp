#include <fmt/format.h>

#include <algorithm>

#include "scenario/read.hpp"
#include "scenario/words.hpp"

namespace rondo::scenario {
namespace {

/// That so many targets of a rank are different ones, and not the rank itself.
void expect_others(Place const& pattern, char const* key, int least, int ranks, int targets) {
  if (targets >= least && targets < ranks) return;
  throw pattern[key].error(
      fmt::format("expected from {} to {} targets of each of {} ranks, got {}", least, ranks - 1, ranks, targets));
}

RandomTargets read_random_targets(Place const& pattern) {
  RandomTargets const random{pattern["ranks"].integer(), pattern["targets"].integer()};
  expect_others(pattern, "targets", 0, random.ranks, random.targets);
  return random;
}

PowerLaw read_powerlaw(Place const& pattern) {
  PowerLaw powerlaw;
  powerlaw.ranks = pattern["ranks"].integer();
  powerlaw.exponent = pattern.value.value("exponent", powerlaw.exponent);
  constexpr int most = 1 << 20;
  powerlaw.most = pattern.value.value("most", std::min(std::max(powerlaw.ranks - 1, 1), most));
  // One rank alone has no targets, whatever the most are.
  if (powerlaw.ranks > 1) expect_others(pattern, "most", 1, powerlaw.ranks, powerlaw.most);
  return powerlaw;
}

SparsePattern read_sparse_pattern(Place const& pattern) {
  std::string const kind = pattern["kind"].text();
  if (kind == "random") return read_random_targets(pattern);
  if (kind == "hypercube") return HypercubePattern{pattern["ranks"].integer()};
  if (kind == "powerlaw") return read_powerlaw(pattern);
  GraphSource const graph = read_graph_source(pattern);
  if (auto const* moore = std::get_if<MooreGraph>(&graph)) return *moore;
  if (auto const* geometric = std::get_if<GeometricGraph>(&graph)) return *geometric;
  return std::get<WeightedGraph>(graph).graph;
}

ExchangeWays read_ways(Place const& collective, Place const& algorithm) {
  ExchangeWays ways;
  ways.algorithm = value_of(sparse_algorithms, algorithm.text());
  if (collective.has("barrier")) ways.barrier = value_of(sparse_barriers, collective["barrier"].text());
  if (collective.has("completion")) ways.completion = value_of(completions, collective["completion"].text());
  return ways;
}

}  // namespace

SparseExchangeProblem read_sparse_exchange(Place const& collective, Place const& algorithm) {
  SparseExchangeProblem problem;
  problem.pattern = read_sparse_pattern(collective["pattern"]);
  problem.ways = read_ways(collective, algorithm);
  problem.exchanges = collective.value.value("exchanges", problem.exchanges);
  if (collective.has("largest_block")) problem.largest_block = collective["largest_block"].unit(parse_bytes);
  return problem;
}

IndependentSetProblem read_independent_set(Place const& collective, Place const& algorithm) {
  return {read_graph_source(collective["graph"]), read_ways(collective, algorithm)};
}

ColoringProblem read_coloring(Place const& collective, Place const& algorithm) {
  return {read_graph_source(collective["graph"]), read_ways(collective, algorithm)};
}

BisectionProblem read_bisection(Place const& collective, Place const& algorithm) {
  BisectionProblem problem{collective["ranks"].integer(), {}, read_ways(collective, algorithm)};
  PointCloud& cloud = problem.cloud;
  cloud.points = collective["points"].value.get<std::int64_t>();
  if (collective.has("cloud")) cloud.shape = value_of(cloud_shapes, collective["cloud"].text());
  if (collective.has("box")) cloud.box = collective["box"].value.get<std::array<double, 3>>();
  cloud.imbalance = collective.value.value("imbalance", cloud.imbalance);
  return problem;
}

}  // namespace rondo::scenario
