// Which edges of the graph a collective uses.

#include "topology/sparse_collective.hpp"

#include <vector>

namespace rondo {

namespace {

std::vector<Edge> edges_from(ProcessGraph const& graph, Rank source) {
  std::vector<Edge> edges;
  for (Neighbor const& target : graph.targets(source)) edges.push_back({source, target.rank});
  return edges;
}

std::vector<Edge> edges_into(ProcessGraph const& graph, Rank target) {
  std::vector<Edge> edges;
  for (Neighbor const& source : graph.sources(target)) edges.push_back({source.rank, target});
  return edges;
}

void append_once(std::vector<Edge>& edges, ProcessGraph const& graph, Rank source) {
  for (Rank const target : graph.distinct_targets(source)) edges.push_back({source, target});
}

}  // namespace

bool has_root(SparseCollective collective) {
  return collective != SparseCollective::allreduce && collective != SparseCollective::barrier;
}

/// Parallel edges count once where only one block is sent.
ProcessGraph used_edges(ProcessGraph const& graph, SparseCollective collective, Rank root) {
  std::vector<Edge> edges;
  switch (collective) {
    case SparseCollective::allreduce:
      return graph;
    case SparseCollective::bcast:
      append_once(edges, graph, root);
      break;
    case SparseCollective::scatter:
      edges = edges_from(graph, root);
      break;
    case SparseCollective::gather:
    case SparseCollective::reduce:
      edges = edges_into(graph, root);
      break;
    case SparseCollective::barrier:
      for (int rank = 0; rank < graph.ranks(); ++rank) append_once(edges, graph, Rank(rank));
      break;
  }
  return {graph.ranks(), edges};
}

}  // namespace rondo
