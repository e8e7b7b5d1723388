#include "problem/problem.hpp"

namespace rondo::problem {
namespace {

bool is_alltoall(NeighborCollective collective) { return collective == NeighborCollective::alltoall; }

Kind kind_of(Isomorphic const& p) {
  return is_alltoall(p.collective) ? Kind::isomorphic_alltoall : Kind::isomorphic_allgather;
}
Kind kind_of(Intergroup const& /*problem*/) { return Kind::intergroup_allgather; }
Kind kind_of(Neighbor const& p) {
  return is_alltoall(p.collective) ? Kind::neighbor_alltoall : Kind::neighbor_allgather;
}
Kind kind_of(SparseOnGraph const& p) { return problem::kind_of(p.collective); }
Kind kind_of(SparseExchange const& /*problem*/) { return Kind::sparse_exchange; }
Kind kind_of(GraphProgram const& p) {
  return p.goal == GraphProgram::Goal::coloring ? Kind::coloring : Kind::independent_set;
}
Kind kind_of(Bisection const& /*problem*/) { return Kind::bisection; }
Kind kind_of(UserProgram const& /*problem*/) { return Kind::program; }

std::string algorithm_of(UserProgram const& p) { return p.selector; }
std::string algorithm_of(SparseOnGraph const& /*problem*/) { return word_of(NeighborAlgorithm::naive); }
std::string algorithm_of(auto const& p) {
  if constexpr (requires { p.ways; }) {
    return word_of(p.ways.algorithm);
  } else {
    return word_of(p.algorithm);
  }
}

int ranks_of(Isomorphic const& p) { return p.torus.size(); }
int ranks_of(Intergroup const& p) { return p.groups.ranks(); }
int ranks_of(SparseExchange const& p) { return ranks(p.pattern); }
int ranks_of(auto const& p) {
  if constexpr (requires { p.graph; }) {
    return ranks(p.graph);
  } else {
    return p.ranks;
  }
}

}  // namespace

Kind kind(Problem const& problem) {
  return std::visit([](auto const& p) { return kind_of(p); }, problem);
}

std::string algorithm(Problem const& problem) {
  return std::visit([](auto const& p) { return algorithm_of(p); }, problem);
}

int ranks(Problem const& problem) {
  return std::visit([](auto const& p) { return ranks_of(p); }, problem);
}

ExchangeWays const* exchange_ways(Problem const& problem) {
  return std::visit(
      [](auto const& p) -> ExchangeWays const* {
        if constexpr (requires { p.ways; }) {
          return &p.ways;
        } else {
          return nullptr;
        }
      },
      problem);
}

}  // namespace rondo::problem
