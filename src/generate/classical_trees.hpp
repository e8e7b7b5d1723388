#pragma once

// The trees down which vectors are broadcast and blocks are scattered, and up which they are gathered; for this folder
// alone. Their nodes are ranks relative to the root, which is node 0.

#include <limits>
#include <vector>

#include "problem/classical.hpp"

namespace rondo::generate::classical {

struct Tree {
  std::vector<int> parent;                 ///< of node 0: -1
  std::vector<std::vector<int>> children;  ///< in the order in which they are sent to
  /// The round in which a node gets a message that is sent down whole, from 1; 0 of the root.
  std::vector<int> round;
  std::vector<int> depth;  ///< messages from the root
  int nodes() const { return static_cast<int>(parent.size()); }
  int rounds() const;
  int height() const;
};

/// The root sends to all others, to so many at once.
Tree linear_tree(int nodes, int at_once = std::numeric_limits<int>::max());
/// The nodes behind the root in `chains` chains one behind the other, of which the first may be one longer.
Tree chain_tree(int nodes, int chains);
/// Every node but the last ones has two children, level by level: those of v in level l are v + 2^l and v + 2^(l+1).
Tree binary_tree(int nodes);
/// Falling: node v sends to v + 2^k for the bits k below its lowest, the farthest first, so that a subtree is a run of
/// nodes. Rising: to v + 2^k for the bits above its highest, the nearest first.
Tree binomial_tree(int nodes, problem::Distances distances);
/// Node v sends to v + j radix^k, j = 1 .. radix-1, all of a k in a round, for the digits k below its lowest.
Tree knomial_tree(int nodes, int radix);
/// Node v has a message from or to v + rho(s) if it is even and v - rho(s) if it is odd, modulo 2^L nodes, in the
/// rounds s = 0 .. L-1 (rising) or L-1 .. 0 (falling), with rho(s) = (1 - (-2)^(s+1)) / 3 [Desensi25].
Tree bine_tree(int nodes, problem::Distances distances);

/// The partner of a node in round s of Bine trees and butterflies, and of Swing.
int bine_partner(int node, int s, int nodes);

/// The tree that the problem's algorithm is named after.
Tree tree_of(problem::Classical const& problem);

/// The nodes at and below each node, in a preorder walk.
std::vector<std::vector<int>> subtrees(Tree const& tree);

}  // namespace rondo::generate::classical
