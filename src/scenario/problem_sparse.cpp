#include <fmt/format.h>

#include <algorithm>

#include "scenario/read.hpp"
#include "topology/sparse_pattern.hpp"

namespace rondo::scenario {
namespace {

using problem::GraphSource;
using problem::PowerLaw;
using problem::RandomTargets;

/// That so many targets of a rank are different ones, and not the rank itself.
void expect_others(Place const& pattern, char const* key, int least, int ranks, int targets) {
  if (targets >= least && targets < ranks) return;
  throw pattern[key].error(
      fmt::format("expected from {} to {} targets of each of {} ranks, got {}", least, ranks - 1, ranks, targets));
}

RandomTargets read_random_targets(Place const& pattern, std::uint64_t seed) {
  RandomTargets const random{pattern["ranks"].integer(), pattern["targets"].integer(), seed};
  expect_others(pattern, "targets", 0, random.ranks, random.targets);
  return random;
}

PowerLaw read_powerlaw(Place const& pattern, std::uint64_t seed) {
  PowerLaw powerlaw;
  powerlaw.seed = seed;
  powerlaw.ranks = pattern["ranks"].integer();
  powerlaw.exponent = pattern.value.value("exponent", powerlaw.exponent);
  constexpr int most = 1 << 20;
  powerlaw.most = pattern.value.value("most", std::min(std::max(powerlaw.ranks - 1, 1), most));
  // One rank alone has no targets, whatever the most are.
  if (powerlaw.ranks > 1) expect_others(pattern, "most", 1, powerlaw.ranks, powerlaw.most);
  return powerlaw;
}

GraphSource read_pattern(Place const& pattern, std::uint64_t seed) {
  std::string const kind = pattern["kind"].text();
  if (kind == "random") return read_random_targets(pattern, seed);
  if (kind == "hypercube") return problem::HypercubePattern{pattern["ranks"].integer()};
  if (kind == "powerlaw") return read_powerlaw(pattern, seed);
  GraphSource const graph = read_graph_source(pattern, seed);
  auto const* const stated = std::get_if<WeightedGraph>(&graph);
  return stated == nullptr ? graph : WeightedGraph{distinct(stated->graph)};
}

problem::ExchangeWays read_ways(Place const& collective, Setting const& setting) {
  problem::ExchangeWays ways;
  ways.algorithm = known_value<problem::ExchangeAlgorithm>(setting.algorithm);
  ways.barrier = word_at(collective, "barrier", ways.barrier);
  ways.completion = word_at(collective, "completion", ways.completion);
  return ways;
}

}  // namespace

problem::SparseExchange read_sparse_exchange(Place const& collective, Setting const& setting) {
  problem::SparseExchange problem;
  problem.pattern = read_pattern(collective["pattern"], setting.seed);
  problem.ways = read_ways(collective, setting);
  problem.exchanges = collective.value.value("exchanges", problem.exchanges);
  problem.block = setting.block;
  if (collective.has("largest_block")) problem.largest_block = collective["largest_block"].unit(parse_bytes);
  problem.seed = ~setting.seed;  // other numbers than those of the pattern
  return problem;
}

problem::GraphProgram read_graph_program(problem::GraphProgram::Goal goal, Place const& collective,
                                         Setting const& setting) {
  // The program draws other numbers than the graph.
  return {goal, read_graph_source(collective["graph"], setting.seed), read_ways(collective, setting), setting.block,
          ~setting.seed};
}

problem::Bisection read_bisection(Place const& collective, Setting const& setting) {
  problem::Bisection problem{collective["ranks"].integer(), {}, read_ways(collective, setting), setting.block};
  PointCloud& cloud = problem.cloud;
  cloud.points = collective["points"].value.get<std::int64_t>();
  cloud.shape = word_at(collective, "cloud", cloud.shape);
  if (collective.has("box")) cloud.box = collective["box"].value.get<std::array<double, 3>>();
  cloud.imbalance = collective.value.value("imbalance", cloud.imbalance);
  cloud.seed = setting.seed;
  return problem;
}

}  // namespace rondo::scenario
