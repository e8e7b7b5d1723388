#pragma once

// The promise of a custom schedule, which a scenario states as the problem of any family, or slot by slot.

#include "problem/promise.hpp"
#include "schedule/collective.hpp"

namespace rondo::generate {

/// The promise, slot by slot, with its blocks cut into its pieces. Graphs must have been made
/// (problem/graph_source.hpp). Throws InputError if the pieces fit no reduction (in_pieces).
Collective promise(problem::Promise const& promise);

}  // namespace rondo::generate
