#pragma once

// Counts and bounds of reductions and rooted collectives on a process graph that follow from its degrees alone.

#include "theory/neighbor.hpp"
#include "topology/sparse_collective.hpp"

namespace rondo::theory {

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
