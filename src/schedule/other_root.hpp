#pragma once

// Turns a schedule of a collective with a root into one for another root, so that generators need to know only one
// root.

#include "schedule/collective.hpp"
#include "schedule/schedule.hpp"

namespace rondo {

/// The schedule with all ranks renumbered cyclically: rank r does what rank r - root + promise.root (modulo the number
/// of ranks) did, so that `root` plays the part of the promise's root. It keeps the same promise with the other root if
/// the operator commutes. In a gather and a scatter each block occupies `pieces` slots. The peers of the schedule must
/// be ranks, not offsets.
Schedule with_root(Schedule const& schedule, Classical const& promise, std::uint32_t pieces, Rank root);

}  // namespace rondo
