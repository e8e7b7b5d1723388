#pragma once

// Completes a problem: makes its graphs, and evaluates expressions that stand for sizes.

#include "problem/problem.hpp"
#include "problem/promise.hpp"

namespace rondo {

/// Throws InputError "/collective/graph: ...", "/collective/pattern: ..." or "/collective/block_sizes: ..." for errors
/// that only this shows. An expression for block sizes gives bytes. It may use m, and these names:
/// - in an isomorphic all-to-all d, and c0, c1, ..., l1 and linf of the neighbor's offset;
/// - in an inter-group allgather the sender i, senders and receivers;
/// - in a neighbor_allgather p, the rank r, and its numbers of targets and sources;
/// - in a neighbor_alltoall p, and an edge's source, target and weight w;
/// - in a collective on all ranks p and the rank r, or in an alltoall p, source and target.
problem::Problem resolved(problem::Problem const& problem);

/// Resolves a promise in the same way; its errors name places below the promise itself: "/graph: ...".
problem::Promise resolved(problem::Promise const& promise);

/// Throws InputError for block sizes that do not fit. It makes the graph of a problem only if the problem has sizes of
/// its own.
void expect_sizes(problem::Problem const& problem);

}  // namespace rondo
