#pragma once

// Collectives over trees that are packed for a machine (generate/forest.hpp), for this folder alone.

#include "problem/classical.hpp"
#include "schedule/schedule.hpp"

namespace rondo::generate::classical {

/// - allgather: the pieces of each rank's block, each over a tree of its own.
/// - reduce_scatter: the same backwards on the network backwards, joining.
/// - allreduce: as many parts of the vector for each rank, a reduce_scatter of them and then an allgather.
/// - bcast: segments of the root's vector, each over a tree of its own.
/// What two ranks have for each other in a round is one message.
Schedule forest(problem::Classical const& problem);

/// The segment of a bcast: what the problem says, or else about as much as takes least time down a pipeline of log2 p
/// messages, where each segment costs a start-up: sqrt(log2 p * time of the vector / start-up) segments, as a power of
/// two of at most 64.
Bytes forest_segment(problem::Classical const& problem);

/// In how many pieces it cuts the block of each rank, or the part of a vector that each rank reduces: as many as are
/// worth their start-ups, and 128 of all ranks at most.
std::uint32_t forest_pieces(problem::Classical const& problem);

}  // namespace rondo::generate::classical
