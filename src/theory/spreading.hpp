#pragma once

// How fast the block of one rank can spread: the bounds on rounds of all families rest on this.

#include <cstdint>
#include <vector>

namespace rondo::theory {

/// The fewest rounds in which a block can come to `targets` ranks besides its own, whatever the links: in a round each
/// of its holders sends it to at most `ports` others, so that (ports + 1)^t ranks hold it after t rounds. The same
/// number bounds from how many other ranks a rank can have got anything.
std::int64_t rounds_to_reach(std::int64_t targets, int ports);

/// The fewest rounds over links between immediate neighbors, with the distance, at least 1, of each target from the
/// block's rank. Let f(t,j) be the most ranks at distance j or more that can hold the block after t rounds. Those that
/// are new in a round got it from a neighbor, at distance j - 1 or more, and each holder serves at most `ports`:
/// f(t,j) <= f(t-1,j) + ports f(t-1,j-1), and so f(t,j) <= sum over i >= j of C(t,i) ports^i. The fewest t at which
/// this is at least the number of targets at distance j or more, for each j >= 1: never less than the largest distance,
/// nor than rounds_to_reach(targets, ports).
///
/// The same t bounds a chain of messages in time, one after the other: if no message takes less than tau, then a
/// holder's port ends at most one message in any time tau, and that one began when its sender held the block already,
/// so that f bounds the holders at time t tau, whether or not ranks keep to rounds.
std::int64_t rounds_to_reach(std::vector<std::int64_t> distances, int ports);

}  // namespace rondo::theory
