#pragma once

// The broadcast of n blocks over a circulant graph in n - 1 + ceil(log2 p) rounds [Traeff23]; for this folder alone.

#include <vector>

#include "generate/classical_exchanges.hpp"
#include "generate/classical_writer.hpp"

namespace rondo::generate::classical {

/// 1 = s_0 < s_1 < ... < s_q = p with s_k = ceil(s_{k+1} / 2), q = ceil(log2 p): in round k of each q rounds node r
/// sends to r + s_k, modulo p.
std::vector<int> circulant_skips(int nodes);

/// The blocks that a node other than the root, 0, gets in q rounds that follow each other: one of 0 .. q-1, and one of
/// each of the q rounds before but that which stands for the same, as negative numbers -q .. -1. In the next q rounds
/// all of them are greater by q.
std::vector<int> circulant_blocks(std::vector<int> const& skips, int node);

/// The parts of the cut, of which the root has all, come to all nodes: part b leaves the root first in round b + 1.
void circulant_bcast(Writer& writer, Relative const& rank, Cut const& cut);

}  // namespace rondo::generate::classical
