// Counts from degrees: what leaves and enters each rank, and the largest of all ranks.

#include "theory/neighbor.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "theory/mean.hpp"
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

}  // namespace rondo::theory
