#pragma once

// The broadcast of n blocks on a circulant graph in n - 1 + ceil(log2 p) rounds [Traeff23], which is optimal; for this
// folder alone.

#include <vector>

#include "generate/classical_exchanges.hpp"
#include "generate/classical_writer.hpp"

namespace rondo::generate::classical {

/// The skips 1 = s_0 < s_1 < ... < s_q = p with s_k = ceil(s_{k+1} / 2) and q = ceil(log2 p). In round k of each q
/// rounds node r sends to r + s_k, modulo p.
std::vector<int> circulant_skips(int nodes);

/// The blocks that a node other than the root, 0, gets in q consecutive rounds. One of them is new, a number from 0 to
/// q-1. The others are from the q rounds before, as numbers from -q to -1, without the one that belongs to the same
/// round as the new one. In the next q rounds all numbers are greater by q.
std::vector<int> circulant_blocks(std::vector<int> const& skips, int node);

/// Sends the parts of the cut, all of which the root has, to all nodes. Part b leaves the root first in round b + 1.
void circulant_bcast(Writer& writer, Relative const& rank, Cut const& cut);

}  // namespace rondo::generate::classical
