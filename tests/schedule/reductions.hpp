#pragma once

// Reductions as drafts, for tests: promises, and schedules that keep them.

#include "base/random.hpp"
#include "draft.hpp"

namespace rondo::testing {

/// Every rank holds blocks 0 to blocks - 1 and is owed the join of all ranks for each of them.
StatedPromise allreduce(int ranks, ReductionRules rules = {}, int blocks = 1);
/// Rank r is owed the join of the ranks 0 to r, or without itself.
StatedPromise scan(int ranks, int without, ReductionRules rules = {true, false, false});

/// Each rank has its blocks in its receive buffer before the first round; any number of ports.
Draft with_own_blocks(int ranks, int blocks = 1);
/// In round k two ranks whose numbers differ in bit k - 1 exchange what they have. A power of two.
Draft recursive_doubling(int ranks);
/// A rank joins what comes from its left neighbor, and passes it on in the next round.
Draft chain_scan(int ranks);
/// In round k rank r hears of what rank r - 2^(k - 1) knows.
Draft dissemination(int ranks);
/// A block a rank: they go around, joined with each rank's own, and once more as they are. The order is not kept.
Draft ring_allreduce(int ranks);
/// Neighboring intervals of ranks join at one of their ranks, in any order, until one has all; then it sends that to
/// all.
Draft random_tree(Random& random, int ranks);

}  // namespace rondo::testing
