#include "scenario/words.hpp"

namespace rondo::scenario {
namespace {

template <typename... Cases>
struct Visitor : Cases... {
  using Cases::operator()...;
};

}  // namespace

std::string kind(Problem const& problem) {
  using Word = std::string;
  return std::visit(Visitor{[](IsomorphicAlltoallProblem const&) -> Word { return "isomorphic_alltoall"; },
                            [](IsomorphicAllgatherProblem const&) -> Word { return "isomorphic_allgather"; },
                            [](IntergroupAllgatherProblem const&) -> Word { return "intergroup_allgather"; },
                            [](NeighborAllgatherProblem const&) -> Word { return "neighbor_allgather"; },
                            [](NeighborAlltoallProblem const&) -> Word { return "neighbor_alltoall"; },
                            [](SparseExchangeProblem const&) -> Word { return "sparse_exchange"; },
                            [](IndependentSetProblem const&) -> Word { return "independent_set"; },
                            [](ColoringProblem const&) -> Word { return "coloring"; },
                            [](BisectionProblem const&) -> Word { return "bisection"; },
                            [](ProgramProblem const&) -> Word { return "program"; },
                            [](SparseCollectiveProblem const& p) { return word_of(sparse_collectives, p.collective); }},
                    problem);
}

std::string algorithm(Problem const& problem) {
  return std::visit(
      Visitor{[](IsomorphicAlltoallProblem const& p) { return word_of(isomorphic_algorithms, p.algorithm); },
              [](IsomorphicAllgatherProblem const& p) { return word_of(isomorphic_algorithms, p.algorithm); },
              [](IntergroupAllgatherProblem const& p) { return word_of(intergroup_algorithms, p.algorithm); },
              [](NeighborAllgatherProblem const& p) { return word_of(neighbor_algorithms, p.pattern.algorithm); },
              [](NeighborAlltoallProblem const& p) { return word_of(neighbor_algorithms, p.pattern.algorithm); },
              [](ProgramProblem const& p) { return p.selector; },
              [](SparseCollectiveProblem const&) { return std::string("naive"); },
              [](auto const& p) { return word_of(sparse_algorithms, p.ways.algorithm); }},
      problem);
}

int ranks(GraphSource const& graph) {
  return std::visit(Visitor{[](RandomGraph const& random) { return random.ranks; },
                            [](MooreGraph const& moore) { return moore.torus.size(); },
                            [](GeometricGraph const& geometric) { return geometric.ranks; },
                            [](WeightedGraph const& edges) { return edges.graph.ranks(); }},
                    graph);
}

int ranks(SparsePattern const& pattern) {
  return std::visit(
      Visitor{[](MooreGraph const& moore) { return moore.torus.size(); },
              [](ProcessGraph const& edges) { return edges.ranks(); }, [](auto const& drawn) { return drawn.ranks; }},
      pattern);
}

int ranks(Problem const& problem) {
  return std::visit(
      Visitor{[](IntergroupAllgatherProblem const& p) { return p.groups.ranks(); },
              [](NeighborAllgatherProblem const& p) { return ranks(p.pattern.graph); },
              [](NeighborAlltoallProblem const& p) { return ranks(p.pattern.graph); },
              [](SparseExchangeProblem const& p) { return ranks(p.pattern); },
              [](IndependentSetProblem const& p) { return ranks(p.graph); },
              [](ColoringProblem const& p) { return ranks(p.graph); },
              [](BisectionProblem const& p) { return p.ranks; }, [](ProgramProblem const& p) { return p.ranks; },
              [](SparseCollectiveProblem const& p) { return ranks(p.graph); },
              [](auto const& isomorphic) { return isomorphic.pattern.torus.size(); }},
      problem);
}

std::string to_string(Engine engine) { return word_of(engines, engine); }
std::string to_string(Payload payload) { return word_of(payloads, payload); }
std::string to_string(TimingModel timing) { return word_of(timing_models, timing); }

}  // namespace rondo::scenario
