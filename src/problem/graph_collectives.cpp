// A rooted collective is a neighborhood collective on those edges of the graph that it uses.

#include "problem/graph_collectives.hpp"

namespace rondo::problem {

Neighbor as_neighborhood(SparseOnGraph const& problem) {
  bool const per_edge = problem.collective == SparseCollective::scatter;
  return {per_edge ? NeighborCollective::alltoall : NeighborCollective::allgather,
          WeightedGraph{used_edges(graph_of(problem.graph), problem.collective, Rank(problem.root))}, problem.block};
}

}  // namespace rondo::problem
