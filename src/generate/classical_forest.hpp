#pragma once

// How finely collectives over trees that are packed for a machine (generate/forest.hpp) cut their vectors and blocks,
// for this folder alone. The pieces that one rank sends to another in a round are one message.
// - allgather: the pieces of each rank's block, each along its own tree.
// - reduce_scatter: the same in reverse on the reversed network, with joins.
// - allreduce: parts of the vector, equally many for each rank; a reduce_scatter of them, then an allgather.
// - bcast: segments of the root's vector, each along its own tree.

#include "problem/classical.hpp"

namespace rondo::generate::classical {

/// The size of a segment of a bcast. If the problem states none, it is chosen to minimize the time of a pipeline of
/// log2 p messages in which each segment costs a start-up. This gives sqrt(log2 p * time of the vector / start-up)
/// segments, rounded to a power of two, and at most 64.
Bytes forest_segment(problem::Classical const& problem);

/// The number of pieces of the block of each rank, or of the part of a vector that each rank reduces. There are as many
/// as are worth their start-ups, and at most 16 for each rank.
std::uint32_t forest_pieces(problem::Classical const& problem);

}  // namespace rondo::generate::classical
