#pragma once

// Counts and bounds of neighborhood collectives, reductions and rooted collectives on a process graph that follow
// from its degrees alone. `sizes` has the sizes of the blocks, one for each rank or edge (numbered by
// ProcessGraph::first_edge); if it is empty, bytes are not counted.

#include <cstdint>
#include <vector>

#include "problem/enums.hpp"
#include "theory/bounds.hpp"
#include "topology/process_graph.hpp"

namespace rondo::theory {

using problem::NeighborCollective;

/// The counts if all edges are posted at once: one round, if any edge leaves its rank, and a message with a block for
/// every such edge.
struct NaiveCounts {
  std::int64_t rounds = 0;
  std::int64_t messages = 0;         ///< also total_blocks
  std::int64_t volume_blocks = 0;    ///< of the rank that sends most, also its messages (max_sends)
  std::int64_t received_blocks = 0;  ///< of the rank that receives most
  Bytes volume_bytes = {}, received_bytes = {}, total_bytes = {};
  friend bool operator==(NaiveCounts const&, NaiveCounts const&) = default;
};
NaiveCounts neighbor_naive(ProcessGraph const& graph, NeighborCollective kind = NeighborCollective::allgather,
                           std::vector<Bytes> const& sizes = {});

/// A lower bound of the messages of every schedule that combines a neighbor at most once. A message that arrives at a
/// neighbor then has the blocks of at most two sources, so a rank with d distinct sources gets at least ceil(d / 2)
/// messages. This is the 50 % limit of [Mirsadeghi17] as a bound. Exchanges between friends, and the theta of a run,
/// only add to it.
std::int64_t fewest_messages_combined_once(ProcessGraph const& graph);

/// Bounds for every schedule, whatever its links.
struct NeighborBounds {
  /// Volume: in all-to-all all blocks of a rank must leave it. In allgather a block leaves its rank once if the rank
  /// has a target; all ranks together receive a block for each distinct source of each rank, so some rank sends at
  /// least the mean. Rounds: the number of holders of a block grows by a factor of at most ports + 1 in a round, and so
  /// does the number of ranks whose block can have reached a given rank. This gives ceil(log_(ports+1)(d + 1)), where d
  /// is the largest number of distinct targets, or sources, of a rank.
  Bounds sent;
  std::int64_t received_blocks = 0;  ///< of the rank that receives most: its distinct sources, or its edges
  Bytes received_bytes;
  /// A lower bound of the messages: each rank with targets sends one, and each rank with sources receives one.
  std::int64_t messages = 0;
};
/// `ports` >= 1: the send and receive ports of a rank.
NeighborBounds neighbor_bounds(ProcessGraph const& graph, NeighborCollective kind, int ports,
                               std::vector<Bytes> const& sizes = {});

/// The counts if all messages are posted at once, without bytes. A rooted collective has a message for each edge
/// between its root and another rank; a broadcast has one for each distinct target. An allreduce has a message for
/// every edge between two ranks, and a barrier one for every pair of ranks with an edge.
NaiveCounts sparse_collective(ProcessGraph const& graph, SparseCollective collective, Rank root);

/// The time of the messages of a root, of a block each, that can all start at once. The ports of the root serve that
/// many at a time, and no other rank has to wait: ceil(messages / ports) (alpha + beta m), where m includes the
/// envelope.
Seconds rooted_time(std::int64_t messages, Bytes block, Bytes envelope, int ports, LinearCost const& cost);

/// Bounds of reductions and barriers. Messages may carry reductions of several contributions. So a rank to which a
/// result is owed receives at least one block, and a rank whose contribution is owed sends one. Rounds and messages are
/// those of neighbor_bounds, because the result of a rank depends on all its sources. `used`: the edges of the
/// collective.
NeighborBounds reduction_bounds(ProcessGraph const& used, int ports);

}  // namespace rondo::theory
