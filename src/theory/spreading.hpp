#pragma once

// How fast the block of one rank can spread. The bounds on rounds of all families are based on this.

#include <cstdint>
#include <vector>

namespace rondo::theory {

/// The smallest number of rounds in which a block can reach `targets` ranks besides its own, whatever the links. In a
/// round each of its holders sends it to at most `ports` others, so at most (ports + 1)^t ranks hold it after t rounds.
/// The same number bounds from how many other ranks a rank can have received anything.
std::int64_t rounds_to_reach(std::int64_t targets, int ports);

/// The smallest number of rounds over links between immediate neighbors. `distances` has the distance of each target
/// from the block's rank, at least 1. Let f(t,j) be the largest number of ranks at distance j or more that can hold the
/// block after t rounds. New holders of a round got it from a neighbor, at distance j - 1 or more, and each holder
/// serves at most `ports` others. So f(t,j) <= f(t-1,j) + ports f(t-1,j-1), and therefore f(t,j) <= sum over i >= j of
/// C(t,i) ports^i. The result is the smallest t for which this is at least the number of targets at distance j or more,
/// for each j >= 1. It is at least the largest distance, and at least rounds_to_reach(targets, ports).
///
/// The same t bounds a chain of messages in time. If no message takes less than tau, a port of a holder ends at most
/// one message in any time tau, and that message began when its sender already held the block. So f bounds the holders
/// at time t tau, whether or not ranks work in rounds.
std::int64_t rounds_to_reach(std::vector<std::int64_t> distances, int ports);

}  // namespace rondo::theory
