#pragma once

// The fewest rounds of an inter-group all-to-all broadcast on a ring, by search: it knows the rules and no algorithm.

namespace rondo::search {

/// In a round each rank sends at most one block that it holds to one of its two neighbors on the ring of p senders,
/// then q receivers, and gets at most one. p + q <= 8.
int fewest_ring_rounds(int p, int q);

/// The same without pruning by distance, so that the pruning can be checked; p + q <= 5.
int fewest_ring_rounds_unpruned(int p, int q);

}  // namespace rondo::search
