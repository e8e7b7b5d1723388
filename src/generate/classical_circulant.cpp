// The broadcast of n blocks on a circulant graph in n - 1 + ceil(log2 p) rounds [Traeff23], which is optimal.

#include <algorithm>

#include "base/index.hpp"
#include "generate/classical.hpp"
#include "generate/classical_exchanges.hpp"

namespace rondo::generate::classical {
namespace {

/// The round, of q consecutive rounds counted from 0, in which a new block of the root reaches this node over the
/// fewest other nodes. The number of the node is a sum of skips, chosen greedily from the greatest on, and the round is
/// the index of the smallest of them. For the root, node 0, it is q.
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

/// The skips 1 = s_0 < s_1 < ... < s_q = p with s_k = ceil(s_{k+1} / 2) and q = ceil(log2 p). In round k of each q
/// rounds node r sends to r + s_k, modulo p.
std::vector<int> circulant_skips(int nodes) {
  std::vector<int> skips{nodes};
  while (skips.back() > 1) skips.push_back((skips.back() + 1) / 2);
  std::reverse(skips.begin(), skips.end());
  return skips;
}

/// The blocks that a node other than the root, 0, gets in q consecutive rounds, by round. One of them is new, a number
/// from 0 to q-1. The others are from the q rounds before, as numbers from -q to -1, without the one that belongs to
/// the same round as the new one. In the next q rounds all numbers are greater by q.
std::vector<int> circulant_blocks(std::vector<int> const& skips, int node) {
  int const q = static_cast<int>(skips.size()) - 1;
  int const first = first_round(skips, node);
  // The root is also node p = s_q, from which new blocks come. A block that arrives in round k was stored, q rounds
  // before, at a node that is at least s_k and less than s_{k+1} behind this one. That node is a sum of skips, the
  // greatest first, and the last skip gives the round in which it got the block. Each block arrives once, from nodes
  // farther and farther behind.
  int const here = skips.back() + node;
  std::vector<bool> free(skips.size(), true);  // by round k: no block yet comes from a node that got it in round k
  free[at(first)] = false;
  std::vector<int> blocks;
  int behind = 0;  // how far behind the node is from which the block of the last round came
  for (int k = 0; k < q; ++k) {
    // Greedily adds free skips to the origin, which must not pass `most`.
    int const most = here - std::max(skips[at(k)], behind + 1);
    int origin = 0, last = q;
    for (int e = q; e >= 0 && origin <= here - skips[at(k + 1)]; --e) {
      if (!free[at(e)] || origin + skips[at(e)] > most) continue;
      origin += skips[at(e)];
      last = e;
    }
    behind = here - origin;
    free[at(last)] = false;
    blocks.push_back(last == q ? first : last - q);
  }
  return blocks;
}

}  // namespace

/// Sends the parts of the cut, all of which the root has, to all nodes. Part b leaves the root first in round b + 1.
Schedule bcast_circulant(problem::Classical const& problem) {
  int const p = problem.ranks;
  Cut const cut = cut_of(problem);
  Writer writer(problem, cut);
  Relative const rank(p, problem.root);
  std::vector<int> const skips = circulant_skips(p);
  int const q = static_cast<int>(skips.size()) - 1;
  std::vector<std::vector<int>> blocks(at(p));
  for (int v = 1; v < p; ++v) blocks[at(v)] = circulant_blocks(skips, v);
  // Rounds at the front are left out, so that the last round of all ends a sequence of q rounds.
  int const last = static_cast<int>(cut.parts.size()) - 1;
  int const left_out = q == 0 ? 0 : (q - last % q) % q;
  for (int t = left_out; q > 0 && t < last + q + left_out; ++t) {
    writer.begin_round();
    for (int v = 1; v < p; ++v) {
      int const block = blocks[at(v)][at(t % q)] + t / q * q - left_out;
      // Numbers past the last block mean the last block; negative ones mean blocks of rounds that are left out.
      if (block < 0) continue;
      writer.message(rank((v + p - skips[at(t % q)]) % p), rank(v), cut.parts[at(std::min(block, last))]);
    }
  }
  return std::move(writer).finish(1);
}

}  // namespace rondo::generate::classical
