#pragma once

// Reductions and rooted collectives on a process graph: what its degrees alone say.

#include "theory/neighbor.hpp"
#include "topology/sparse_collective.hpp"

namespace rondo::theory {

/// All messages posted at once, without bytes. A rooted collective has a message for each edge of its root to or from
/// others, a broadcast one for each distinct target; an allreduce one for every edge between two ranks, a barrier one
/// for every pair that an edge joins.
NaiveCounts sparse_collective(ProcessGraph const& graph, SparseCollective collective, Rank root);

/// The messages of a root, of a block each, that all can start at once: its ports serve so many at a time, and nobody
/// else has to wait: ceil(messages / ports) (alpha + beta m), where m has the envelope.
Seconds rooted_time(std::int64_t messages, Bytes block, Bytes envelope, int ports, LinearCost const& cost);

/// Bounds of reductions, and of barriers, where messages may carry what others have put together: a rank that is owed
/// something receives a block, and one whose contribution is owed sends one. Rounds and messages as neighbor_bounds,
/// since what a rank gets depends on all its sources. `used`: the edges of the collective.
NeighborBounds reduction_bounds(ProcessGraph const& used, int ports);

}  // namespace rondo::theory
