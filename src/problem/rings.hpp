#pragma once

// The order in which a ring, or a tree, goes through the ranks if several work at the same time. Each of them enters
// and leaves a host by different ranks, and so by different NICs.
//
// The ranks of a host follow each other. On a host of n ranks, ring c of k begins at the host's rank c * n / k, or
// at rank c modulo n if there are more rings than ranks; it goes around the host and leaves it at the rank before the
// first. Hosts follow in the order of their lowest ranks, and every second ring goes through them in the opposite
// direction.

#include <vector>

namespace rondo::problem {

/// The ranks in the order of ring number `ring`, from 0, of `rings`. `host_of` is by rank; if it is empty, every rank
/// is on a host of its own.
std::vector<int> order_of_ring(std::vector<int> const& host_of, int ranks, int ring, int rings);

}  // namespace rondo::problem
