#pragma once

// How fast the block of one rank can spread. The bounds on rounds of all families are based on this. Some bounds
// combine two quantities: how much some rank must send in a schedule with a given number of rounds. mean_at_least
// takes the step from a total over all ranks to a bound for the busiest rank.

#include <cstdint>
#include <optional>
#include <vector>

#include "base/units.hpp"
#include "problem/classical.hpp"

namespace rondo::theory {

/// The mean over the ranks, rounded up: some rank has at least this much.
constexpr std::int64_t mean_at_least(std::int64_t total, int ranks) { return ceil_div(total, ranks); }

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

/// A lower bound, in blocks, of what some rank sends in any schedule with `rounds` rounds of an all-to-all of equal
/// blocks among `ranks` ranks on `ports` ports; unset if no schedule has so few rounds. Blocks may be cut, but not
/// combined by arithmetic. [Bruck97, Section 2] has the two extreme cases: (p / (k+1)) log_(k+1) p blocks for each
/// port, if p is a power of k+1 and the number of rounds is the smallest; and p - 1 blocks in all with (p-1) / k
/// rounds.
///
/// Proof: a byte travels from its source to its target by a route, which uses some i of the D rounds and one of k ports
/// in each of them. So at most C(D, i) k^i ranks can be reached by exactly i messages, and the blocks of a rank cost
/// all ranks together at least the cost of using all the shortest routes. This holds for every source. So it is also
/// what a rank sends on average, and some rank sends at least as much.
std::optional<std::int64_t> alltoall_blocks_in_rounds(std::int64_t ranks, int ports, std::int64_t rounds);

/// A lower bound, in whole vectors, of what some rank sends in a bcast or an allreduce on k ports with log_(k+1) p
/// rounds, if p is a power of k+1: k log_(k+1) p. Unset if p is no such power, or for another number of rounds.
///
/// Proof: take one byte of the vector. In a bcast count the ranks that have it, in an allreduce the contributions to it
/// that some rank has. A round multiplies this number by at most k+1, so every round has to reach this factor. Then the
/// root sends that byte through all its ports in every round, as do all others that have it. In an allreduce every rank
/// receives through all its ports in every round, and so sends as much on average.
std::optional<std::int64_t> vectors_in_rounds(std::int64_t ranks, int ports, std::int64_t rounds);

/// The bound that applies to a problem, in its blocks. Unset for other collectives, for blocks of different sizes or of
/// 0 bytes, for one rank, and if no schedule has so few rounds.
std::optional<double> volume_in_rounds(problem::Classical const& problem, int ports, std::int64_t rounds);

}  // namespace rondo::theory
