#pragma once

// Two binary trees at once, each for one half of the vector, segment by segment: an inner node of one is a leaf of the
// other, so that a rank sends on no more than it gets [Sanders09]. For this folder alone.

#include "generate/classical_exchanges.hpp"
#include "generate/classical_writer.hpp"

namespace rondo::generate::classical {

/// From node 0, the root, whose halves go to the roots of two trees of all other nodes. The parts of the first half of
/// the cut come before those of the second.
void double_tree_bcast(Writer& writer, Relative const& rank, Cut const& cut);
/// Over two trees of all ranks, up and then down.
void double_tree_allreduce(Writer& writer, Cut const& cut);

}  // namespace rondo::generate::classical
