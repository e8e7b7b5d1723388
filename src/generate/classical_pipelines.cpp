// Algorithms that pass a vector on in many blocks. The broadcast of n blocks on a circulant graph takes n - 1 +
// ceil(log2 p) rounds [Traeff23], which is optimal. A double tree consists of two binary trees that are used at once,
// each for one half of the vector, segment by segment. An inner node of one tree is a leaf of the other, so that a
// rank sends no more than it receives [Sanders09].

#include <algorithm>
#include <array>
#include <bit>

#include "base/ids.hpp"
#include "generate/classical.hpp"
#include "generate/classical_patterns.hpp"

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

namespace {

/// An edge of a tree. `depth` counts messages from the root of the tree.
struct Edge {
  int parent, child;
  int depth;  ///< of the child
};
/// The edges of a binary tree, sorted by child, as long as nodes have not been moved.
struct HalfTree {
  int root = 0;
  std::vector<Edge> edges;
  int height() const {
    int most = 0;
    for (Edge const& edge : edges) most = std::max(most, edge.depth);
    return most;
  }
};

/// Adds the children of node x: one `step` before it, and one `step` after it, or nearer if there are fewer nodes.
void hang(HalfTree& tree, int nodes, int x, int step, int depth) {
  if (step == 0) return;
  tree.edges.push_back({x, x - step, depth});
  int right = step;
  while (right > 0 && x + right >= nodes) right /= 2;
  if (right > 0) tree.edges.push_back({x, x + right, depth});
  hang(tree, nodes, x - step, step / 2, depth + 1);
  if (right > 0) hang(tree, nodes, x + right, right / 2, depth + 1);
}

/// A binary tree in order below its root, node 0. Odd nodes are leaves.
HalfTree in_order_tree(int nodes) {
  HalfTree tree;
  if (nodes < 2) return tree;
  int const top = static_cast<int>(std::bit_floor(static_cast<unsigned>(nodes - 1)));
  tree.edges.push_back({0, top, 1});
  hang(tree, nodes, top, top / 2, 2);
  std::sort(tree.edges.begin(), tree.edges.end(), [](Edge const& a, Edge const& b) { return a.child < b.child; });
  return tree;
}

/// Two trees. The first is the in-order tree. The second has the nodes in reverse order, or, if their number is odd,
/// shifted by one. This changes the parity of nodes, so inner nodes of one tree are leaves of the other.
std::array<HalfTree, 2> double_tree(int nodes) {
  HalfTree const first = in_order_tree(nodes);
  HalfTree second = first;
  auto const moved = [&](int v) { return nodes % 2 == 0 ? nodes - 1 - v : (v + 1) % nodes; };
  second.root = moved(0);
  for (Edge& edge : second.edges) edge = {moved(edge.parent), moved(edge.child), edge.depth};
  return {first, second};
}

}  // namespace

/// Broadcasts from node 0. Each half goes to the root of one of two trees of all other nodes. In the cut, the parts of
/// the first half come before those of the second.
Schedule bcast_double_tree(problem::Classical const& problem) {
  Cut const cut = cut_of(problem);
  Writer writer(problem, cut);
  Relative const rank(problem.ranks, problem.root);
  int const nodes = problem.ranks - 1;
  auto const trees = double_tree(nodes);
  int const parts = static_cast<int>(cut.parts.size() / 2);
  for (int t = 1; nodes > 0 && t <= trees[0].height() + parts; ++t) {
    writer.begin_round();
    for (int half = 0; half < 2; ++half) {
      // Node 0 is the root of the broadcast, and the two trees contain the nodes after it.
      if (t <= parts) writer.message(rank(0), rank(1 + trees[at(half)].root), cut.parts[at(half * parts + t - 1)]);
      for (Edge const& edge : trees[at(half)].edges) {
        int const part = t - 1 - edge.depth;
        if (part < 0 || part >= parts) continue;
        writer.message(rank(1 + edge.parent), rank(1 + edge.child), cut.parts[at(half * parts + part)]);
      }
    }
  }
  return std::move(writer).finish(0);
}

/// Reduces up two trees of all ranks, and sends the result down.
Schedule allreduce_double_tree(problem::Classical const& problem) {
  Cut const cut = cut_of(problem);
  Writer writer(problem, cut);
  auto const trees = double_tree(problem.ranks);
  int const height = trees[0].height();
  int const parts = static_cast<int>(cut.parts.size() / 2);
  for (int t = 1; height > 0 && t < 2 * height + parts; ++t) {
    writer.begin_round();
    for (int half = 0; half < 2; ++half) {
      for (Edge const& edge : trees[at(half)].edges) {
        int const up = t - 1 - (height - edge.depth);
        if (up < 0 || up >= parts) continue;
        writer.message(edge.child, edge.parent, cut.parts[at(half * parts + up)], join_from(edge.child, edge.parent));
      }
      for (Edge const& edge : trees[at(half)].edges) {
        int const down = t - height - edge.depth;
        if (0 <= down && down < parts) writer.message(edge.parent, edge.child, cut.parts[at(half * parts + down)]);
      }
    }
  }
  return std::move(writer).finish(0);
}

}  // namespace rondo::generate::classical
