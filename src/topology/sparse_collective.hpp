#pragma once

// The meaning of MPI collectives without a neighborhood form on a process graph [Traeff21, Section 2].

#include <cstdint>

#include "topology/process_graph.hpp"

namespace rondo {

/// The collectives.
/// allreduce: every rank reduces the blocks of its sources.
/// reduce, gather: the root gets the blocks of its sources, one for each edge.
/// bcast: the targets of the root get its block.
/// scatter: the targets of the root get a block for each edge.
/// barrier: every rank hears from all its sources.
enum class SparseCollective : std::uint8_t { allreduce, bcast, gather, scatter, reduce, barrier };

/// Whether there is a root, which takes part in every message.
bool has_root(SparseCollective collective);

/// The edges along which blocks are sent. With a block for each rank, or for scatter a block for each edge, the
/// collective is a neighborhood collective on these edges. Broadcasts and barriers send to each neighbor once, even if
/// it is listed several times, and not to the rank itself.
ProcessGraph used_edges(ProcessGraph const& graph, SparseCollective collective, Rank root);

}  // namespace rondo
