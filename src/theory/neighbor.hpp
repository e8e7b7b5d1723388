#pragma once

// Neighborhood collectives on a process graph: what its degrees alone say. `sizes` are those of the blocks, one a rank
// or an edge (as ProcessGraph::first_edge numbers them), or empty: then bytes are not counted.

#include <cstdint>
#include <vector>

#include "problem/words.hpp"
#include "theory/theory.hpp"
#include "topology/process_graph.hpp"

namespace rondo::theory {

using problem::NeighborCollective;

/// All edges posted at once: one round, if any edge leaves its rank, and a message and a block for every such edge.
struct NaiveCounts {
  std::int64_t rounds = 0;
  std::int64_t messages = 0;         ///< and total_blocks
  std::int64_t volume_blocks = 0;    ///< sent by the rank that sends most, and its messages (max_sends)
  std::int64_t received_blocks = 0;  ///< received by the rank that receives most
  Bytes volume_bytes = {}, received_bytes = {}, total_bytes = {};
  friend bool operator==(NaiveCounts const&, NaiveCounts const&) = default;
};
NaiveCounts neighbor_naive(ProcessGraph const& graph, NeighborCollective kind = NeighborCollective::allgather,
                           std::vector<Bytes> const& sizes = {});

/// No schedule that combines a neighbor at most once sends fewer messages: one that arrives at a neighbor then has the
/// blocks of at most two of its sources, so that a rank with d distinct sources gets at least ceil(d / 2). This is the
/// 50 % ceiling of [Mirsadeghi17] as a bound; friend exchanges, and the theta of a run, only add to it.
std::int64_t fewest_messages_combined_once(ProcessGraph const& graph);

/// Bounds for every schedule, whatever its links.
struct NeighborBounds {
  /// Volume: all-to-all: the blocks of a rank must all leave it. Allgather: a block leaves its rank once if it has a
  /// target, and all ranks together receive a block for each distinct source of each, so that some rank sends as much
  /// as the mean. Rounds: the holders of a block grow at most (ports + 1)-fold in a round, and so do the ranks whose
  /// block can have reached a rank: ceil(log_(ports+1)(d + 1)) with the most distinct targets, or sources, d of a rank.
  Bounds sent;
  std::int64_t received_blocks = 0;  ///< received by the rank that receives most: its distinct sources, or edges
  Bytes received_bytes;
  /// Each rank with targets sends a message, each with sources receives one.
  std::int64_t messages = 0;
};
/// `ports` >= 1: send and receive ports of a rank.
NeighborBounds neighbor_bounds(ProcessGraph const& graph, NeighborCollective kind, int ports,
                               std::vector<Bytes> const& sizes = {});

}  // namespace rondo::theory
