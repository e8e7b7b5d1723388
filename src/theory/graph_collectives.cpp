// Counts from degrees: the blocks that leave and enter each rank, or the root, and the largest of all ranks.

#include "theory/graph_collectives.hpp"

#include <algorithm>
#include <map>
#include <span>

#include "base/error.hpp"
#include "theory/spreading.hpp"

namespace rondo::theory {
namespace {

std::int64_t size(std::vector<Rank> const& ranks) { return static_cast<std::int64_t>(ranks.size()); }

/// Blocks and their bytes.
struct Volume {
  std::int64_t blocks = 0;
  Bytes bytes;

  void add(Bytes of_block) {
    ++blocks;
    bytes += of_block;
  }
  void raise(Volume const& other) {
    blocks = std::max(blocks, other.blocks);
    bytes = std::max(bytes, other.bytes);
  }
};

/// The sizes of the blocks, and the volumes of the edges and neighbors of each rank.
class Volumes {
 public:
  Volumes(ProcessGraph const& graph, NeighborCollective kind, std::vector<Bytes> const& sizes)
      : graph_(graph), kind_(kind), sizes_(sizes) {
    std::int64_t const blocks = kind == NeighborCollective::allgather ? graph.ranks() : graph.edges();
    expects(sizes.empty() || static_cast<std::int64_t>(sizes.size()) == blocks, "no sizes, or one for each block");
  }

  /// The blocks along the edges that leave a rank for others, or arrive from others.
  Volume leaving(Rank rank) const {
    Volume volume;
    auto const targets = graph_.targets(rank);
    for (std::uint32_t i = 0; i < targets.size(); ++i) {
      if (targets[i].rank != rank) volume.add(block(rank, i));
    }
    return volume;
  }
  /// What the sources of a rank send to it; self loops do not count.
  Volume coming(Rank rank) const {
    Volume volume;
    for (Neighbor const& source : graph_.sources(rank)) {
      if (source.rank != rank) volume.add(block(source.rank, source.slot));
    }
    return volume;
  }
  /// The blocks that must leave a rank, or reach it. In allgather these are its own block once, and the block of each
  /// distinct source.
  Volume least_sent(Rank rank) const {
    if (kind_ == NeighborCollective::alltoall) return leaving(rank);
    Volume volume;
    if (!graph_.distinct_targets(rank).empty()) volume.add(block(rank, 0));
    return volume;
  }
  /// An allgather needs each source's block only once, however many edges lead there.
  Volume least_received(Rank rank) const {
    if (kind_ == NeighborCollective::alltoall) return coming(rank);
    Volume volume;
    for (Rank const source : graph_.distinct_sources(rank)) volume.add(block(source, 0));
    return volume;
  }

 private:
  Bytes block(Rank source, std::uint32_t target) const {
    if (sizes_.empty()) return Bytes(0);
    auto const number = kind_ == NeighborCollective::allgather ? source.value : graph_.first_edge(source) + target;
    return sizes_[static_cast<std::size_t>(number)];
  }

  ProcessGraph const& graph_;
  NeighborCollective kind_;
  std::vector<Bytes> const& sizes_;
};

}  // namespace

/// Each edge is a message; all are in one round.
NaiveCounts neighbor_naive(ProcessGraph const& graph, NeighborCollective kind, std::vector<Bytes> const& sizes) {
  Volumes const volumes(graph, kind, sizes);
  Volume sent, received;
  NaiveCounts counts;
  for (std::int32_t r = 0; r < graph.ranks(); ++r) {
    Volume const leaving = volumes.leaving(Rank(r));
    counts.messages += leaving.blocks;
    counts.total_bytes += leaving.bytes;
    sent.raise(leaving);
    received.raise(volumes.coming(Rank(r)));
  }
  counts.volume_blocks = sent.blocks;
  counts.volume_bytes = sent.bytes;
  counts.received_blocks = received.blocks;
  counts.received_bytes = received.bytes;
  counts.rounds = counts.messages > 0 ? 1 : 0;
  return counts;
}

std::int64_t fewest_messages_combined_once(ProcessGraph const& graph) {
  std::int64_t messages = 0;
  for (std::int32_t r = 0; r < graph.ranks(); ++r) messages += (size(graph.distinct_sources(Rank(r))) + 1) / 2;
  return messages;
}

/// A rank with n sources needs log_(k+1)(n + 1) rounds at least; its own block and all that it is owed pass its ports.
NeighborBounds neighbor_bounds(ProcessGraph const& graph, NeighborCollective kind, int ports,
                               std::vector<Bytes> const& sizes) {
  expects(ports >= 1, "at least one port");
  Volumes const volumes(graph, kind, sizes);
  Volume sent, received, delivered;
  NeighborBounds bounds;
  std::int64_t most_neighbors = 0;
  std::int64_t sending = 0;
  std::int64_t receiving = 0;
  for (std::int32_t r = 0; r < graph.ranks(); ++r) {
    std::int64_t const targets = size(graph.distinct_targets(Rank(r)));
    std::int64_t const sources = size(graph.distinct_sources(Rank(r)));
    Volume const reaching = volumes.least_received(Rank(r));
    sent.raise(volumes.least_sent(Rank(r)));
    received.raise(reaching);
    delivered.blocks += reaching.blocks;
    delivered.bytes += reaching.bytes;
    most_neighbors = std::max({most_neighbors, targets, sources});
    sending += targets > 0 ? 1 : 0;
    receiving += sources > 0 ? 1 : 0;
  }
  if (graph.ranks() > 0) {
    sent.raise(
        {mean_at_least(delivered.blocks, graph.ranks()), Bytes(mean_at_least(delivered.bytes.value, graph.ranks()))});
  }
  bounds.sent.volume_blocks = sent.blocks;
  bounds.sent.volume_bytes = sent.bytes;
  bounds.received_blocks = received.blocks;
  bounds.received_bytes = received.bytes;
  bounds.sent.rounds = bounds.sent.chain = rounds_to_reach(most_neighbors, ports);
  bounds.messages = std::max(sending, receiving);
  return bounds;
}

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
