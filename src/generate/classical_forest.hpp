#pragma once

// Chooses how finely collectives over trees that are packed for a machine (generate/forest.hpp) cut their vectors and
// blocks, for this folder alone. The pieces that one rank sends to another in a round are one message, unless
// Forest::apart is set.
// - allgather: the pieces of each rank's block, each along its own tree.
// - reduce_scatter: the same in reverse on the reversed network, with joins.
// - allreduce: parts of the vector, equally many for each rank; a reduce_scatter of them, then an allgather.
// - bcast: segments of the root's vector, each along its own tree.

#include "problem/classical.hpp"

namespace rondo::generate::classical {

/// Returns the size of a segment of a bcast: the stated one, or one that minimizes the time of a pipeline of ceil(log2
/// p) messages in which each segment costs a start-up. Such a pipeline has sqrt(ceil(log2 p) * time of the vector /
/// start-up) segments, rounded to a power of two, and at most 64. Returns 0 (the whole vector) if none is stated and
/// the vector is empty or there are fewer than 3 ranks. The problem must have a network.
Bytes forest_segment(problem::Classical const& problem);

/// Returns the number of pieces of the block of each rank, or of the part of a vector that each rank reduces. There are
/// as many as are worth their start-ups: at least 1, at most 16 for each rank, and only 1 for fewer than 3 ranks. The
/// problem must have a network.
std::uint32_t forest_pieces(problem::Classical const& problem);

}  // namespace rondo::generate::classical
