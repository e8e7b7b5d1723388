#include "theory/neighbor.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace rondo::theory {
namespace {

/// The edges of a rank that are no self loops.
std::int64_t leaving(std::span<Neighbor const> neighbors, Rank self) {
  return std::count_if(neighbors.begin(), neighbors.end(), [&](Neighbor const& each) { return each.rank != self; });
}

std::int64_t size(std::vector<Rank> const& ranks) { return static_cast<std::int64_t>(ranks.size()); }

/// The fewest rounds in which one rank becomes `reached` + 1 if each round multiplies by at most ports + 1.
std::int64_t doublings(std::int64_t reached, int ports) {
  std::int64_t rounds = 0;
  for (std::int64_t most = 1; most < reached + 1; most *= ports + 1) ++rounds;
  return rounds;
}

}  // namespace

NaiveCounts neighbor_naive(ProcessGraph const& graph) {
  NaiveCounts counts;
  for (std::int32_t r = 0; r < graph.ranks(); ++r) {
    std::int64_t const sent = leaving(graph.targets(Rank(r)), Rank(r));
    counts.messages += sent;
    counts.volume_blocks = std::max(counts.volume_blocks, sent);
    counts.received_blocks = std::max(counts.received_blocks, leaving(graph.sources(Rank(r)), Rank(r)));
  }
  counts.rounds = counts.messages > 0 ? 1 : 0;
  return counts;
}

std::int64_t fewest_messages_combined_once(ProcessGraph const& graph) {
  std::int64_t messages = 0;
  for (std::int32_t r = 0; r < graph.ranks(); ++r) messages += (size(graph.distinct_sources(Rank(r))) + 1) / 2;
  return messages;
}

NeighborBounds neighbor_bounds(ProcessGraph const& graph, NeighborBlock block, int ports) {
  expects(ports >= 1, "at least one port");
  NeighborBounds bounds;
  std::int64_t most_neighbors = 0;
  std::int64_t delivered = 0;
  std::int64_t sending = 0;
  std::int64_t receiving = 0;
  for (std::int32_t r = 0; r < graph.ranks(); ++r) {
    std::int64_t const targets = size(graph.distinct_targets(Rank(r)));
    std::int64_t const sources = size(graph.distinct_sources(Rank(r)));
    bool const edges = block == NeighborBlock::per_edge;
    std::int64_t const sent = edges ? leaving(graph.targets(Rank(r)), Rank(r)) : std::min<std::int64_t>(targets, 1);
    std::int64_t const received = edges ? leaving(graph.sources(Rank(r)), Rank(r)) : sources;
    bounds.sent.volume_blocks = std::max(bounds.sent.volume_blocks, sent);
    bounds.received_blocks = std::max(bounds.received_blocks, received);
    most_neighbors = std::max({most_neighbors, targets, sources});
    delivered += received;
    sending += targets > 0 ? 1 : 0;
    receiving += sources > 0 ? 1 : 0;
  }
  if (graph.ranks() > 0) {
    std::int64_t const mean = (delivered + graph.ranks() - 1) / graph.ranks();
    bounds.sent.volume_blocks = std::max(bounds.sent.volume_blocks, mean);
  }
  bounds.sent.rounds = bounds.sent.chain = doublings(most_neighbors, ports);
  bounds.messages = std::max(sending, receiving);
  return bounds;
}

}  // namespace rondo::theory
