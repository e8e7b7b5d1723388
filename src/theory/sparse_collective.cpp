// Counts from the degrees of the graph, or of its root.

#include "theory/sparse_collective.hpp"

#include <algorithm>
#include <map>
#include <span>

namespace rondo::theory {
namespace {

/// The number of edges between a rank and each of its neighbors, without self loops.
std::map<Rank, std::int64_t> edges_by_neighbor(std::span<Neighbor const> neighbors, Rank self) {
  std::map<Rank, std::int64_t> edges;
  for (Neighbor const& each : neighbors) {
    if (each.rank != self) ++edges[each.rank];
  }
  return edges;
}

/// The edges of a rank, and the neighbors that they lead to.
struct Degree {
  std::int64_t edges = 0;
  std::int64_t neighbors = 0;
  std::int64_t most_edges = 0;  ///< with one neighbor
};

/// Self loops do not count; parallel edges do.
Degree degree_of(std::span<Neighbor const> neighbors, Rank self) {
  Degree degree;
  for (auto const& [rank, edges] : edges_by_neighbor(neighbors, self)) {
    degree.edges += edges;
    ++degree.neighbors;
    degree.most_edges = std::max(degree.most_edges, edges);
  }
  return degree;
}

/// All messages are in one round.
NaiveCounts counts(std::int64_t messages, std::int64_t most_sent, std::int64_t most_received) {
  NaiveCounts result;
  result.rounds = messages > 0 ? 1 : 0;
  result.messages = messages;
  result.volume_blocks = most_sent;
  result.received_blocks = most_received;
  return result;
}

/// The counts if every rank sends as many messages as a member of its degree says.
NaiveCounts everywhere(ProcessGraph const& graph, std::int64_t Degree::*counted) {
  std::int64_t messages = 0, most_sent = 0, most_received = 0;
  for (int rank = 0; rank < graph.ranks(); ++rank) {
    std::int64_t const sent = degree_of(graph.targets(Rank(rank)), Rank(rank)).*counted;
    messages += sent;
    most_sent = std::max(most_sent, sent);
    most_received = std::max(most_received, degree_of(graph.sources(Rank(rank)), Rank(rank)).*counted);
  }
  return counts(messages, most_sent, most_received);
}

}  // namespace

/// Who sends to whom by each collective.
NaiveCounts sparse_collective(ProcessGraph const& graph, SparseCollective collective, Rank root) {
  if (collective == SparseCollective::allreduce) return everywhere(graph, &Degree::edges);
  if (collective == SparseCollective::barrier) return everywhere(graph, &Degree::neighbors);
  bool const into_root = collective == SparseCollective::gather || collective == SparseCollective::reduce;
  Degree const of_root = degree_of(into_root ? graph.sources(root) : graph.targets(root), root);
  if (into_root) return counts(of_root.edges, of_root.most_edges, of_root.edges);
  if (collective == SparseCollective::scatter) return counts(of_root.edges, of_root.edges, of_root.most_edges);
  return counts(of_root.neighbors, of_root.neighbors, std::min<std::int64_t>(of_root.neighbors, 1));
}

Seconds rooted_time(std::int64_t messages, Bytes block, Bytes envelope, int ports, LinearCost const& cost) {
  std::int64_t const turns = (messages + ports - 1) / ports;
  return static_cast<double>(turns) * (cost.alpha + (block + envelope) / cost.bandwidth);
}

/// In a reduction one block suffices, sent and received.
NeighborBounds reduction_bounds(ProcessGraph const& used, int ports) {
  NeighborBounds bounds = neighbor_bounds(used, NeighborCollective::allgather, ports);
  bounds.sent.volume_blocks = std::min<std::int64_t>(bounds.sent.volume_blocks, 1);
  bounds.received_blocks = std::min<std::int64_t>(bounds.received_blocks, 1);
  return bounds;
}

}  // namespace rondo::theory
