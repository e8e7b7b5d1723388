#pragma once

// A problem with all that it states in other words worked out: graphs made, sizes that are expressions evaluated.

#include "problem/problem.hpp"
#include "problem/promise.hpp"

namespace rondo {

/// Throws InputError "/collective/graph: ...", "/collective/pattern: ..." or "/collective/block_sizes: ..." for what
/// only that shows. Block sizes are bytes: of an isomorphic all-to-all in the offset's c0, c1, ..., l1 and linf and in
/// d; of an inter-group allgather in the sender i, in senders and receivers; of a neighbor_allgather in the rank r and
/// its numbers of targets and sources, of a neighbor_alltoall in an edge's source, target and weight w, both in p; of a
/// collective on all ranks in the rank r, or of an alltoall in source and target, and in p; and all in m.
problem::Problem resolved(problem::Problem const& problem);

/// Resolves a promise in the same way; its errors name places below the promise itself: "/graph: ...".
problem::Promise resolved(problem::Promise const& promise);

/// Throws InputError for block sizes that do not fit. Makes the graph of a problem on a graph only if the problem gives
/// sizes of its own.
void expect_sizes(problem::Problem const& problem);

}  // namespace rondo
