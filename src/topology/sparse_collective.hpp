#pragma once

// What the collectives of MPI that have no neighborhood form mean on a process graph [Traeff21, Section 2].

#include <cstdint>

#include "topology/process_graph.hpp"

namespace rondo {

/// allreduce: every rank reduces what its sources give. reduce, gather: the root gets what its sources give, one block
/// an edge. bcast: the root's targets get its block. scatter: they get a block for each edge. barrier: every rank hears
/// of all its sources.
enum class SparseCollective : std::uint8_t { allreduce, bcast, gather, scatter, reduce, barrier };

/// Whether a root takes part in every message.
bool has_root(SparseCollective collective);

/// The edges along which its blocks go: with a block a rank, or for scatter a block an edge, it is a neighborhood
/// collective on these. Broadcasts and barriers send to a neighbor once, however often it is one, and not to the rank
/// itself.
ProcessGraph used_edges(ProcessGraph const& graph, SparseCollective collective, Rank root);

}  // namespace rondo
