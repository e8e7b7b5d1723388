// Makes graphs from their rules, and evaluates the expressions of sizes. The names in an expression depend on the
// family of the problem (resolve.hpp).

#include "run/families/resolve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/error.hpp"
#include "base/text.hpp"
#include "run/families/expression.hpp"
#include "topology/graph_generators.hpp"

namespace rondo {
namespace {

using problem::NeighborCollective;

/// Makes a graph. An InputError names the place.
WeightedGraph made_at(char const* pointer, problem::GraphSource const& source) {
  return at_place(pointer, [&] { return made(source); });
}

constexpr double most_bytes = 1099511627776;  ///< of a block: 1TiB, the limit for all blocks of scenarios

/// Evaluates the size of the block for one offset of a neighborhood. Throws InputError unless it is a whole number of
/// bytes.
Bytes size_of_offset(Expression const& expression, std::span<int const> offset, double block) {
  Names names{{"d", offset.size()}, {"m", block}};
  double l1 = 0;
  double linf = 0;
  for (std::size_t j = 0; j < offset.size(); ++j) {
    names[fmt::format("c{}", j)] = offset[j];
    l1 += std::abs(offset[j]);
    linf = std::max(linf, static_cast<double>(std::abs(offset[j])));
  }
  names["l1"] = l1;
  names["linf"] = linf;
  double const size = evaluate(expression, names).number;
  if (size >= 0 && size <= most_bytes && size == std::round(size)) return Bytes(static_cast<std::int64_t>(size));
  throw InputError(fmt::format("expected a whole number of bytes from 0 to {} for each offset, got {} for [{}]",
                               most_bytes, std::isnan(size) ? "no number" : fmt::format("{}", size),
                               listed(offset, ",")));
}

/// Evaluates the expression for each neighbor. Returns the stated sizes if there is no expression.
std::vector<Bytes> sizes_of(problem::Isomorphic const& problem) {
  if (problem.sizes.expression.empty()) return problem.sizes.each;
  std::vector<Bytes> result;
  Expression const size(problem.sizes.expression);
  auto const block = static_cast<double>(problem.sizes.block.value);
  for (int i = 0; i < problem.neighborhood.size(); ++i) {
    result.push_back(size_of_offset(size, problem.neighborhood[i], block));
  }
  return result;
}

/// Converts a size that an expression has computed. `whose` names its owner in the error, such as "rank 3". Throws
/// InputError unless it is a whole number of bytes.
Bytes size_from(double number, std::string const& whose) {
  if (number >= 0 && number <= most_bytes && number == static_cast<double>(static_cast<std::int64_t>(number))) {
    return Bytes(static_cast<std::int64_t>(number));
  }
  throw InputError(fmt::format("expected a whole number of bytes from 0 to {}, got {} for {}", most_bytes,
                               std::isnan(number) ? std::abs(number) : number, whose));  // not "-nan"
}

/// Evaluates the expression for each sender. Returns the stated sizes if there is no expression.
std::vector<Bytes> sizes_of(problem::Intergroup const& problem) {
  problem::BlockSizes const& stated = problem.sizes;
  if (stated.expression.empty()) return stated.each;
  std::vector<Bytes> each;
  Expression const size(stated.expression);
  Names names{
      {"m", stated.block.value}, {"senders", problem.groups.senders()}, {"receivers", problem.groups.receivers()}};
  for (int i = 0; i < problem.groups.senders(); ++i) {
    names["i"] = i;
    each.push_back(size_from(evaluate(size, names).number, fmt::format("sender {}", i)));
  }
  return each;
}

/// Evaluates the size of each rank's block, for an allgather on a graph.
std::vector<Bytes> rank_sizes(problem::BlockSizes const& stated, ProcessGraph const& graph) {
  std::vector<Bytes> sizes;
  Expression const size(stated.expression);
  Names names{{"m", stated.block.value}, {"p", graph.ranks()}};
  for (std::int32_t r = 0; r < graph.ranks(); ++r) {
    names["r"] = r;
    names["targets"] = static_cast<double>(graph.targets(Rank(r)).size());
    names["sources"] = static_cast<double>(graph.sources(Rank(r)).size());
    sizes.push_back(size_from(evaluate(size, names).number, fmt::format("rank {}", r)));
  }
  return sizes;
}

/// Evaluates the size of each edge's block, for an all-to-all on a graph; w is the edge's weight, or 1 in a graph
/// without weights.
std::vector<Bytes> edge_sizes(problem::BlockSizes const& stated, WeightedGraph const& on) {
  std::vector<Bytes> sizes;
  Expression const size(stated.expression);
  Names names{{"m", stated.block.value}, {"p", on.graph.ranks()}, {"w", 1.0}};
  for (std::int32_t r = 0; r < on.graph.ranks(); ++r) {
    names["source"] = r;
    for (Neighbor const& target : on.graph.targets(Rank(r))) {
      names["target"] = target.rank.value;
      if (!on.weights.empty()) names["w"] = on.weights[sizes.size()];
      sizes.push_back(size_from(evaluate(size, names).number, fmt::format("edge [{},{}]", r, target.rank.value)));
    }
  }
  return sizes;
}

/// Evaluates the expression for each rank or edge. Without one, returns the stated sizes, and throws InputError if
/// their number is wrong.
std::vector<Bytes> sizes_of(problem::Neighbor const& problem, WeightedGraph const& on) {
  bool const ranks = problem.collective == NeighborCollective::allgather;
  problem::BlockSizes const& stated = problem.sizes;
  if (!stated.expression.empty()) return ranks ? rank_sizes(stated, on.graph) : edge_sizes(stated, on);
  auto const expected = static_cast<std::size_t>(ranks ? on.graph.ranks() : on.graph.edges());
  if (stated.each.empty() || stated.each.size() == expected) return stated.each;
  throw InputError(
      fmt::format("expected {} sizes, one for each {}, got {}", expected, ranks ? "rank" : "edge", stated.each.size()));
}

/// Evaluates the expression for each rank, or in an alltoall for each source and target. Returns the stated sizes if
/// there is no expression.
std::vector<Bytes> sizes_of(problem::Classical const& problem) {
  problem::BlockSizes const& stated = problem.sizes;
  if (stated.expression.empty()) return stated.each;
  std::vector<Bytes> sizes;
  Expression const size(stated.expression);
  Names names{{"m", stated.block.value}, {"p", problem.ranks}};
  auto const add = [&](std::string const& whose) { sizes.push_back(size_from(evaluate(size, names).number, whose)); };
  for (int r = 0; r < problem.ranks; ++r) {
    if (problem.collective != ClassicalCollective::alltoall) {
      names["r"] = r;
      add(fmt::format("rank {}", r));
      continue;
    }
    names["source"] = r;
    for (int target = 0; target < problem.ranks; ++target) {
      names["target"] = target;
      add(fmt::format("ranks {} to {}", r, target));
    }
  }
  return sizes;
}

// These replace expressions by sizes, and rules of graphs by graphs.

void resolve(problem::Isomorphic& problem) {
  problem.sizes.each = at_place("/collective/block_sizes", [&] { return sizes_of(problem); });
  problem.sizes.expression.clear();
}

void resolve(problem::Intergroup& problem) {
  problem.sizes.each = at_place("/collective/block_sizes", [&] { return sizes_of(problem); });
  problem.sizes.expression.clear();
}

void resolve(problem::Classical& problem) {
  problem.sizes.each = at_place("/collective/block_sizes", [&] { return sizes_of(problem); });
  problem.sizes.expression.clear();
}

void resolve(problem::Neighbor& problem) {
  WeightedGraph graph = made_at("/collective/graph", problem.graph);
  problem.sizes.each = at_place("/collective/block_sizes", [&] { return sizes_of(problem, graph); });
  problem.sizes.expression.clear();
  problem.graph = std::move(graph);
}

void resolve(problem::SparseOnGraph& problem) {
  WeightedGraph graph = made_at("/collective/graph", problem.graph);
  if (!problem.torus) problem.torus = on_torus(problem.graph);
  problem.graph = std::move(graph);
}
void resolve(problem::SparseExchange& problem) { problem.pattern = made_at("/collective/pattern", problem.pattern); }
void resolve(problem::GraphProgram& problem) {
  problem.graph = at_place("/collective/graph", [&] { return WeightedGraph{symmetric(made(problem.graph).graph)}; });
}
void resolve(problem::Custom& problem) {
  if (!problem.promise) return;
  problem.promise = at_place("/collective/promise", [&] { return resolved(*problem.promise); });
}
/// All other problems have nothing to resolve.
void resolve(auto& /*problem*/) {}

}  // namespace

problem::Problem resolved(problem::Problem const& problem) {
  problem::Problem result = problem;
  std::visit([](auto& each) { resolve(each); }, result);
  return result;
}

/// resolve() reports errors at "/collective/...". The promise has no such key around it, so that part of the text is
/// removed.
problem::Promise resolved(problem::Promise const& promise) try {
  problem::Promise result = promise;
  std::visit([](auto& each) { resolve(each); }, result.of);
  return result;
} catch (InputError const& refused) {
  std::string const what = refused.what();
  std::string const collective = "/collective";
  throw InputError(what.starts_with(collective) ? what.substr(collective.size()) : what);
}

void expect_sizes(problem::Problem const& problem) {
  auto const* const neighbor = std::get_if<problem::Neighbor>(&problem);
  bool const has_sizes = neighbor != nullptr && (neighbor->sizes.differ() || !neighbor->sizes.expression.empty());
  bool const needs_no_graph = std::holds_alternative<problem::Isomorphic>(problem) ||
                              std::holds_alternative<problem::Intergroup>(problem) ||
                              std::holds_alternative<problem::Classical>(problem);
  if (has_sizes || needs_no_graph) resolved(problem);
}

}  // namespace rondo
