#include <fmt/format.h>

#include <cmath>

#include "base/error.hpp"
#include "run/families/expression.hpp"
#include "run/families/neighbor.hpp"

namespace rondo {
namespace {

using theory::NeighborBlock;

std::vector<Bytes> rank_sizes(std::string const& expression, ProcessGraph const& graph, Bytes block) {
  std::vector<Bytes> sizes;
  Names names{{"m", block.value}, {"p", graph.ranks()}};
  for (std::int32_t r = 0; r < graph.ranks(); ++r) {
    names["r"] = r;
    names["targets"] = static_cast<double>(graph.targets(Rank(r)).size());
    names["sources"] = static_cast<double>(graph.sources(Rank(r)).size());
    sizes.push_back(size_from(evaluate(expression, names).number, fmt::format("rank {}", r)));
  }
  return sizes;
}

std::vector<Bytes> edge_sizes(std::string const& expression, WeightedGraph const& on, Bytes block) {
  std::vector<Bytes> sizes;
  Names names{{"m", block.value}, {"p", on.graph.ranks()}, {"w", 1.0}};
  for (std::int32_t r = 0; r < on.graph.ranks(); ++r) {
    names["source"] = r;
    for (Neighbor const& target : on.graph.targets(Rank(r))) {
      names["target"] = target.rank.value;
      if (!on.weights.empty()) names["w"] = on.weights[sizes.size()];
      sizes.push_back(size_from(evaluate(expression, names).number, fmt::format("edge [{},{}]", r, target.rank.value)));
    }
  }
  return sizes;
}

}  // namespace

Bytes size_from(double number, std::string const& whose) {
  constexpr double most = 1099511627776;  // 1TiB, as of all blocks
  if (number >= 0 && number <= most && number == static_cast<double>(static_cast<std::int64_t>(number))) {
    return Bytes(static_cast<std::int64_t>(number));
  }
  throw InputError(fmt::format("expected a whole number of bytes from 0 to {}, got {} for {}", most,
                               std::isnan(number) ? std::abs(number) : number, whose));  // not "-nan"
}

std::vector<Bytes> neighbor_sizes(scenario::NeighborPattern const& pattern, WeightedGraph const& on, NeighborBlock kind,
                                  Bytes block) {
  bool const ranks = kind == NeighborBlock::per_rank;
  try {
    if (!pattern.sizes.expression.empty()) {
      return ranks ? rank_sizes(pattern.sizes.expression, on.graph, block)
                   : edge_sizes(pattern.sizes.expression, on, block);
    }
    auto const expected = static_cast<std::size_t>(ranks ? on.graph.ranks() : on.graph.edges());
    if (pattern.sizes.list.empty() || pattern.sizes.list.size() == expected) return pattern.sizes.list;
    throw InputError(fmt::format("expected {} sizes, one for each {}, got {}", expected, ranks ? "rank" : "edge",
                                 pattern.sizes.list.size()));
  } catch (InputError const& refused) {
    throw InputError(fmt::format("/collective/block_sizes: {}", refused.what()));
  }
}

}  // namespace rondo
