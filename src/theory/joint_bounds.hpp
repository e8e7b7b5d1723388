#pragma once

// Bounds on two things at once: how much some rank has to send in a schedule that has only so many rounds.

#include <cstdint>
#include <optional>

#include "problem/classical.hpp"

namespace rondo::theory {

/// What some rank sends at least, in blocks, in any schedule of an all-to-all of blocks of one size among `ranks` ranks
/// on `ports` ports that has `rounds` rounds; nothing where no schedule has so few. Blocks may be cut, but not joined
/// to others by arithmetic. [Bruck97, Section 2] has the two ends of it: (p / (k+1)) log_(k+1) p blocks a
/// port where p is a power of k+1 and rounds are fewest, and p - 1 in all with (p-1) / k rounds.
///
/// A byte comes from its source to its target by a route: some i of the D rounds, and in each of them one of k ports.
/// So at most C(D, i) k^i ranks are reached by i messages and no fewer, and a rank's blocks cost all ranks together at
/// least what they cost where the shortest routes are all used. That holds for every source, so that it is also what a
/// rank sends on the average, and some rank sends as much.
std::optional<std::int64_t> alltoall_blocks_in_rounds(std::int64_t ranks, int ports, std::int64_t rounds);

/// What some rank sends at least, in whole vectors, in a bcast or an allreduce on k ports with log_(k+1) p rounds,
/// where p is a power of k+1: k log_(k+1) p. Nothing where p is no such power or where there are other rounds.
///
/// Take a place of the vector, and count the ranks that have its byte, in a bcast, or the contributions to it that some
/// rank has, in an allreduce. A round makes these at most k+1 times as many, so that each has to. The root then sends
/// that byte by all its ports in every round, as all others who have it do; or every rank receives in every round, for
/// that place, by all its ports, and so sends as much on the average.
std::optional<std::int64_t> vectors_in_rounds(std::int64_t ranks, int ports, std::int64_t rounds);

/// The one or the other for a problem, in its blocks; nothing where no such bound is known: for other collectives, and
/// for sizes that differ.
std::optional<double> volume_in_rounds(problem::Classical const& problem, int ports, std::int64_t rounds);

}  // namespace rondo::theory
