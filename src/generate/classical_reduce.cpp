// Reduce: the root gets the reduction of the vectors of all ranks.

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "base/index.hpp"
#include "generate/classical.hpp"
#include "generate/classical_exchanges.hpp"
#include "generate/classical_halving.hpp"
#include "generate/classical_reducer.hpp"
#include "generate/classical_trees.hpp"

namespace rondo::generate::classical {
namespace {

using problem::Classical;

/// On which side the contributions of a child are joined, so that the order of ranks is kept.
Join side(int child, int node) { return child > node ? Join::after : Join::before; }

/// Grows a tree in which node v is rank v. The ranks first .. top-1 are below `top`, in two halves. The upper half is
/// below top - 1. The lower half, which may be larger by one, is below its own last rank [OMPI, in-order binary tree].
void grow_in_order(Tree& tree, int first, int top) {
  int const lower = (top - first + 1) / 2;
  auto const attach = [&](int child, int from) {
    tree.parent[at(child)] = top;
    tree.children[at(top)].push_back(child);
    tree.depth[at(child)] = tree.round[at(child)] = tree.depth[at(top)] + 1;
    grow_in_order(tree, from, child);
  };
  if (top > first + lower) attach(top - 1, first + lower);
  if (lower > 0) attach(first + lower - 1, first);
}

/// A tree in which every subtree is a run of consecutive ranks, so that contributions are joined in the order of ranks.
Tree tree_in_order(int ranks) {
  Tree tree{std::vector(at(ranks), -1), std::vector<std::vector<int>>(at(ranks)), std::vector(at(ranks), 0),
            std::vector(at(ranks), 0)};
  grow_in_order(tree, 0, ranks - 1);
  return tree;
}

/// Sends whole vectors up the tree, in the reverse order of its rounds.
void whole_up(Reducer& reducer, Tree const& tree, Relative const& rank, Pieces const& all) {
  for (int t = tree.rounds(); t >= 1; --t) {
    reducer.begin_round();
    for (int v = 0; v < tree.nodes(); ++v) {
      for (int const child : tree.children[at(v)]) {
        if (tree.round[at(child)] == t) reducer.message(rank(child), rank(v), all, side(child, v));
      }
    }
  }
}

/// Segment s leaves a node of depth d in round height - d + 1 + s.
void segments_up(Reducer& reducer, Tree const& tree, Relative const& rank, Cut const& cut) {
  int const parts = static_cast<int>(cut.parts.size());
  std::vector<std::vector<int>> nearest_first = tree.children;  // so that runs of ranks meet their neighbors
  for (int v = 0; v < tree.nodes(); ++v) {
    std::sort(nearest_first[at(v)].begin(), nearest_first[at(v)].end(),
              [&](int a, int b) { return std::abs(a - v) < std::abs(b - v); });
  }
  for (int t = 1; t < tree.height() + parts; ++t) {
    reducer.begin_round();
    for (int v = 0; v < tree.nodes(); ++v) {
      for (int const child : nearest_first[at(v)]) {
        int const part = t - 1 - (tree.height() - tree.depth[at(child)]);
        if (part < 0 || part >= parts) continue;
        reducer.message(rank(child), rank(v), cut.parts[at(part)], side(child, v));
      }
    }
  }
}

/// Halves the vectors at distances 1, 2, 4, ... among the ranks that remain after folding. Then the root gathers the
/// result [Rabenseifner04].
void halves_and_gather(Reducer& reducer, Classical const& problem, Cut const& cut) {
  Folded folded(problem.ranks, Folded::Node::even);
  Pieces const all = cut.all();
  if (folded.removed() > 0) {
    reducer.begin_round();
    for (int i = 0; i < folded.removed(); ++i) reducer.message(2 * i + 1, 2 * i, all, Join::after);
  }
  int const q = folded.nodes();
  for (int mask = 1; mask < q; mask *= 2) {
    reducer.begin_round();
    for (int v = 0; v < q; ++v) {
      int const partner = v ^ mask;
      reducer.message(folded.rank(v), folded.rank(partner), halved(cut, q, partner, 2 * mask), side(v, partner));
    }
  }
  // If the root was folded onto a neighbor, it takes the place of node 0.
  bool const was_folded = problem.root < 2 * folded.removed() && problem.root % 2 != 0;
  int const top = was_folded ? 0 : folded.node(problem.root);
  if (was_folded) {
    reducer.begin_round();
    reducer.message(folded.rank(0), problem.root, halved(cut, q, 0, q), Join::none);
    folded.replace(0, problem.root);
  }
  for (int mask = q / 2; mask >= 1; mask /= 2) {
    reducer.begin_round();
    for (int v = 0; v < q; ++v) {
      bool const sends = v / (2 * mask) == top / (2 * mask) && (v & mask) != (top & mask);
      if (sends) reducer.message(folded.rank(v), folded.rank(v ^ mask), halved(cut, q, v, 2 * mask), Join::none);
    }
  }
}

/// Up a tree whose node 0 is the rank `first`, whole if there is one part and children are served in turn;
/// `ports_in_turn` holds then, and `ports` otherwise. `top`, at which the tree ends, sends the result to the root.
Schedule up(Classical const& problem, Tree const& tree, int first, int top, int ports_in_turn, int ports) {
  Cut const cut = cut_of(problem);
  Relative const rank(problem.ranks, first);
  bool const in_turn = cut.parts.size() == 1 && problem.children == problem::Children::in_turn;
  return reduced(problem, cut.sizes, in_turn ? ports_in_turn : ports, [&](Reducer& reducer) {
    in_turn ? whole_up(reducer, tree, rank, cut.all()) : segments_up(reducer, tree, rank, cut);
    if (top == problem.root) return;
    reducer.begin_round();
    reducer.message(top, problem.root, cut.all(), Join::none);
  });
}

/// Up to the root. If the order of contributions matters, up to rank 0, from which the tree is in rank order.
Schedule up(Classical const& problem, Tree const& tree, int ports_in_turn = 0, int ports = 0) {
  int const top = problem.commutative ? problem.root : 0;
  return up(problem, tree, top, top, ports_in_turn, ports);
}

}  // namespace

Schedule reduce_chain(Classical const& problem) { return up(problem, chain_tree(problem.ranks, radix_of(problem))); }
Schedule reduce_pipeline(Classical const& problem) { return up(problem, chain_tree(problem.ranks, 1), 1, 1); }
Schedule reduce_binary(Classical const& problem) { return up(problem, binary_tree(problem.ranks)); }
Schedule reduce_binomial(Classical const& problem) {
  return up(problem, binomial_tree(problem.ranks, problem.distances), 1);
}
Schedule reduce_knomial(Classical const& problem) {
  return up(problem, knomial_tree(problem.ranks, radix_of(problem)));
}
Schedule reduce_bine(Classical const& problem) { return up(problem, bine_tree(problem.ranks, problem.distances), 1); }
Schedule reduce_in_order_binary(Classical const& problem) {
  return up(problem, tree_in_order(problem.ranks), 0, problem.ranks - 1, 0, 0);
}

/// All ranks send to the root at once. The messages are joined from its neighbors outwards.
Schedule reduce_linear(Classical const& problem) {
  Cut const cut = cut_of(problem);
  return reduced(problem, cut.sizes, 0, [&](Reducer& reducer) {
    if (problem.ranks > 1) reducer.begin_round();
    for (int r = problem.root + 1; r < problem.ranks; ++r) reducer.message(r, problem.root, cut.all(), Join::after);
    for (int r = problem.root - 1; r >= 0; --r) reducer.message(r, problem.root, cut.all(), Join::before);
  });
}

Schedule reduce_rabenseifner(Classical const& problem) {
  Cut const cut = cut_of(problem);
  return reduced(problem, cut.sizes, 1, [&](Reducer& reducer) { halves_and_gather(reducer, problem, cut); });
}

}  // namespace rondo::generate::classical
