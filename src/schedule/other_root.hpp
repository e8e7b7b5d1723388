#pragma once

// A schedule of a collective with a root, for another root.

#include "schedule/collective.hpp"
#include "schedule/schedule.hpp"

namespace rondo {

/// The schedule with all ranks renumbered cyclically, so that `root` does what the promise's root does in it: rank r
/// does what rank r - root + promise.root (modulo the number of ranks) does there. It keeps the same promise with the
/// other root, if the operator commutes. Blocks of a gather and a scatter are in `pieces` slots each. The peers of the
/// schedule are ranks, not offsets.
Schedule with_root(Schedule const& schedule, Classical const& promise, std::uint32_t pieces, Rank root);

}  // namespace rondo
