// Makes graphs by their rules. A rooted collective becomes a neighborhood collective on those edges of the graph that
// it uses.

#include "problem/graph_collectives.hpp"

#include "base/error.hpp"
#include "base/visitor.hpp"
#include "decomposition/routes.hpp"
#include "topology/graph_generators.hpp"

namespace rondo::problem {

int ranks(GraphSource const& source) {
  return std::visit(Visitor{[](MooreGraph const& moore) { return moore.torus.size(); },
                            [](OffsetsGraph const& offsets) { return offsets.torus.size(); },
                            [](WeightedGraph const& stated) { return stated.graph.ranks(); },
                            [](auto const& drawn) { return drawn.ranks; }},
                    source);
}

WeightedGraph made(GraphSource const& source) {
  using Made = WeightedGraph;
  return std::visit(
      Visitor{[](RandomGraph const& of) -> Made { return {erdos_renyi(of.ranks, of.density, of.seed)}; },
              [](MooreGraph const& of) -> Made { return {moore(of.torus, of.radius)}; },
              [](OffsetsGraph const& of) -> Made { return {offsets_graph(of.torus, of.neighborhood)}; },
              [](GeometricGraph const& of) -> Made { return {geometric(of.ranks, of.degree, of.seed)}; },
              [](RandomTargets const& of) -> Made { return {random_targets(of.ranks, of.targets, of.seed)}; },
              [](HypercubePattern const& of) -> Made { return {hypercube(of.ranks)}; },
              [](PowerLaw const& of) -> Made { return {powerlaw(of.ranks, of.exponent, of.most, of.seed)}; },
              [](WeightedGraph const& stated) { return stated; }},
      source);
}

bool made_of_torus(GraphSource const& source) {
  return std::holds_alternative<OffsetsGraph>(source) || std::holds_alternative<MooreGraph>(source);
}

std::optional<OnTorus> on_torus(GraphSource const& source) {
  if (auto const* of = std::get_if<OffsetsGraph>(&source)) return OnTorus{of->torus, of->neighborhood};
  if (auto const* of = std::get_if<MooreGraph>(&source)) {
    return OnTorus{of->torus, distinct_moore(of->torus, of->radius)};
  }
  return std::nullopt;
}

/// The sources of a rank: the opposite offsets, by their shortest way.
Neighborhood sources_on_torus(OnTorus const& graph) {
  std::vector<std::vector<int>> offsets;
  for (int i = 0; i < graph.neighborhood.size(); ++i) {
    std::vector<int>& offset = offsets.emplace_back();
    for (int const coordinate : graph.neighborhood[i]) offset.push_back(-coordinate);
  }
  return shortest_wrap(graph.torus, Neighborhood(graph.torus.dimensions(), offsets));
}

ProcessGraph const& graph_of(GraphSource const& source) {
  auto const* const stated = std::get_if<WeightedGraph>(&source);
  expects(stated != nullptr, "a graph that has been made");
  return stated->graph;
}

Neighbor as_neighborhood(SparseOnGraph const& problem) {
  bool const per_edge = problem.collective == SparseCollective::scatter;
  return {per_edge ? NeighborCollective::alltoall : NeighborCollective::allgather,
          WeightedGraph{used_edges(graph_of(problem.graph), problem.collective, Rank(problem.root))}, problem.block};
}

}  // namespace rondo::problem
