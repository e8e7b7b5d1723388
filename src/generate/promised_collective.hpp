#pragma once

// From a promise (problem/promise.hpp: what a schedule must deliver) to a Collective: for each rank the content of
// every send slot at the start and of every receive slot at the end. Custom schedules are verified against it.

#include "problem/promise.hpp"
#include "schedule/collective.hpp"

namespace rondo::generate {

/// `promise.pieces` states into how many pieces each block is cut; the slots of a block's pieces take the place of its
/// slot. Graphs must already be generated (problem/graph_source.hpp). Throws InputError if the contributions to one
/// reduction are cut into different numbers of pieces.
Collective collective_of(problem::Promise const& promise);

}  // namespace rondo::generate
