#pragma once

#include "problem/promise.hpp"
#include "schedule/collective.hpp"

namespace rondo::generate {

/// What a promise says slot by slot, its blocks cut in its pieces. Graphs have been made (problem/graph_source.hpp).
/// Throws InputError where pieces fit no reduction (in_pieces).
Collective promise(problem::Promise const& promise);

}  // namespace rondo::generate
