#pragma once

// In which order a ring, or tree, goes through the ranks when several do at once, so that each enters and leaves hosts
// by other ranks, and so by other NICs.
//
// The ranks of a host follow each other. Ring c of k begins on a host of n ranks at its rank c * n / k, or at rank c
// modulo n where there are more rings than ranks, goes on around, and leaves by the rank before that. Hosts follow in
// the order of their lowest ranks; every second ring goes through them in the opposite direction.

#include <vector>

namespace rondo::problem {

/// `host_of` by rank; none is stated if it is empty: all are on hosts of their own.
std::vector<int> order_of_ring(std::vector<int> const& host_of, int ranks, int ring, int rings);

}  // namespace rondo::problem
