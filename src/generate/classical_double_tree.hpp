#pragma once

// Two binary trees that are used at once, each for one half of the vector, segment by segment. An inner node of one
// tree is a leaf of the other, so that a rank sends no more than it receives [Sanders09]. For this folder alone.

#include "generate/classical_exchanges.hpp"
#include "generate/classical_writer.hpp"

namespace rondo::generate::classical {

/// Broadcasts from node 0. Each half goes to the root of one of two trees of all other nodes. In the cut, the parts of
/// the first half come before those of the second.
void double_tree_bcast(Writer& writer, Relative const& rank, Cut const& cut);
/// Reduces up two trees of all ranks, and sends the result down.
void double_tree_allreduce(Writer& writer, Cut const& cut);

}  // namespace rondo::generate::classical
