#include "generate/classical_circulant.hpp"

#include <algorithm>

#include "base/index.hpp"

namespace rondo::generate::classical {
namespace {

/// The round, of q consecutive rounds, in which a new block of the root reaches this node with the fewest messages. The
/// node is a sum of skips, chosen greedily from the greatest on, and the round is the index of the smallest one. The
/// root itself has q.
int first_round(std::vector<int> const& skips, int node) {
  int const q = static_cast<int>(skips.size()) - 1;
  if (node == 0) return q;
  int k = q;
  while (node != 0) {
    --k;
    if (skips[at(k)] <= node) node -= skips[at(k)];
  }
  return k;
}

}  // namespace

std::vector<int> circulant_skips(int nodes) {
  std::vector<int> skips{nodes};
  while (skips.back() > 1) skips.push_back((skips.back() + 1) / 2);
  std::reverse(skips.begin(), skips.end());
  return skips;
}

std::vector<int> circulant_blocks(std::vector<int> const& skips, int node) {
  int const q = static_cast<int>(skips.size()) - 1;
  int const own = first_round(skips, node);
  // The root is also node p = s_q, from which new blocks come. A block that arrives in round k was stored, q rounds
  // before, at a node that is at least s_k and less than s_{k+1} behind this one. That node is a sum of skips, the
  // greatest first, and the last skip gives the round in which it got the block. Each block arrives once, from nodes
  // farther and farther behind.
  int const here = skips.back() + node;
  std::vector<bool> free(skips.size(), true);
  free[at(own)] = false;
  std::vector<int> blocks;
  int behind = 0;
  for (int k = 0; k < q; ++k) {
    int const most = here - std::max(skips[at(k)], behind + 1);
    int origin = 0, last = q;
    for (int e = q; e >= 0 && origin <= here - skips[at(k + 1)]; --e) {
      if (!free[at(e)] || origin + skips[at(e)] > most) continue;
      origin += skips[at(e)];
      last = e;
    }
    behind = here - origin;
    free[at(last)] = false;
    blocks.push_back(last == q ? own : last - q);
  }
  return blocks;
}

void circulant_bcast(Writer& writer, Relative const& rank, Cut const& cut) {
  int const p = rank.ranks();
  std::vector<int> const skips = circulant_skips(p);
  int const q = static_cast<int>(skips.size()) - 1;
  if (q == 0) return;
  std::vector<std::vector<int>> blocks(at(p));
  for (int v = 1; v < p; ++v) blocks[at(v)] = circulant_blocks(skips, v);
  // Leaves out rounds at the front, so that the last round of all ends a sequence of q rounds.
  int const last = static_cast<int>(cut.parts.size()) - 1;
  int const left_out = (q - last % q) % q;
  for (int t = left_out; t < last + q + left_out; ++t) {
    writer.begin_round();
    for (int v = 1; v < p; ++v) {
      int const block = blocks[at(v)][at(t % q)] + t / q * q - left_out;
      // Numbers past the last block mean the last block; negative ones mean blocks of rounds that are left out.
      if (block < 0) continue;
      writer.message(rank((v + p - skips[at(t % q)]) % p), rank(v), cut.parts[at(std::min(block, last))]);
    }
  }
}

}  // namespace rondo::generate::classical
