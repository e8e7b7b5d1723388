#pragma once

// Bounds that combine two quantities: how much some rank must send in a schedule with a given number of rounds.

#include <cstdint>
#include <optional>

#include "problem/classical.hpp"

namespace rondo::theory {

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
