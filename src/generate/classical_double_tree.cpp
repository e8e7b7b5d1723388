// Two binary trees that are used at once, each for one half of the vector, segment by segment. An inner node of one
// tree is a leaf of the other, so that a rank sends no more than it receives [Sanders09].

#include <algorithm>
#include <array>
#include <bit>

#include "base/index.hpp"
#include "generate/classical.hpp"
#include "generate/classical_exchanges.hpp"

namespace rondo::generate::classical {
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
