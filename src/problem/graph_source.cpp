#include "problem/graph_source.hpp"

#include "base/error.hpp"
#include "topology/geometric_graph.hpp"
#include "topology/sparse_pattern.hpp"

namespace rondo::problem {
namespace {

template <typename... Cases>
struct Visitor : Cases... {
  using Cases::operator()...;
};
// Clang 14 wants it said.
template <typename... Cases>
Visitor(Cases...) -> Visitor<Cases...>;

}  // namespace

int ranks(GraphSource const& source) {
  return std::visit(Visitor{[](MooreGraph const& moore) { return moore.torus.size(); },
                            [](WeightedGraph const& stated) { return stated.graph.ranks(); },
                            [](auto const& drawn) { return drawn.ranks; }},
                    source);
}

WeightedGraph made(GraphSource const& source) {
  using Made = WeightedGraph;
  return std::visit(
      Visitor{[](RandomGraph const& of) -> Made { return {erdos_renyi(of.ranks, of.density, of.seed)}; },
              [](MooreGraph const& of) -> Made { return {moore(of.torus, of.radius)}; },
              [](GeometricGraph const& of) -> Made { return {geometric(of.ranks, of.degree, of.seed)}; },
              [](RandomTargets const& of) -> Made { return {random_targets(of.ranks, of.targets, of.seed)}; },
              [](HypercubePattern const& of) -> Made { return {hypercube(of.ranks)}; },
              [](PowerLaw const& of) -> Made { return {powerlaw(of.ranks, of.exponent, of.most, of.seed)}; },
              [](WeightedGraph const& stated) { return stated; }},
      source);
}

ProcessGraph const& graph_of(GraphSource const& source) {
  auto const* const stated = std::get_if<WeightedGraph>(&source);
  expects(stated != nullptr, "a graph that has been made");
  return stated->graph;
}

}  // namespace rondo::problem
