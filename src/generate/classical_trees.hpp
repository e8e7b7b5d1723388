#pragma once

// The trees down which vectors are broadcast and blocks are scattered, and up which they are gathered; for this folder
// alone. Nodes are ranks counted from the root, which is node 0.

#include <limits>
#include <vector>

#include "problem/classical.hpp"

namespace rondo::generate::classical {

/// A tree, with the round in which each node gets its message.
struct Tree {
  std::vector<int> parent;                 ///< node 0 has -1
  std::vector<std::vector<int>> children;  ///< in the order of the messages to them
  /// The round in which a node gets a message that is sent down as a whole, from 1; the root has 0.
  std::vector<int> round;
  std::vector<int> depth;  ///< number of messages from the root
  int nodes() const { return static_cast<int>(parent.size()); }
  int rounds() const;
  int height() const;
};

/// The root sends to all other nodes, `at_once` of them in a round.
Tree linear_tree(int nodes, int at_once = std::numeric_limits<int>::max());
/// The nodes after the root form `chains` chains of consecutive nodes. The first chains may be longer by one.
Tree chain_tree(int nodes, int chains);
/// Every node except the last ones has two children. Node v of level l has the children v + 2^l and v + 2^(l+1).
Tree binary_tree(int nodes);
/// Falling: node v sends to v + 2^k for the bits k below its lowest set bit, the farthest first, so a subtree is a
/// run of nodes. Rising: to v + 2^k for the bits above its highest set bit, the nearest first.
Tree binomial_tree(int nodes, problem::Distances distances);
/// Node v sends to v + j radix^k, j = 1 .. radix-1, for the digits k below its lowest non-zero digit. The messages of
/// one k are one round.
Tree knomial_tree(int nodes, int radix);
/// Node v exchanges a message with v + rho(s) if v is even, or with v - rho(s) if v is odd, modulo 2^L nodes, in round
/// s = 0 .. L-1 (rising) or L-1 .. 0 (falling). Here rho(s) = (1 - (-2)^(s+1)) / 3 [Desensi25].
Tree bine_tree(int nodes, problem::Distances distances);

/// The partner of a node in round s of Bine trees, Bine butterflies and Swing.
int bine_partner(int node, int s, int nodes);

/// The nodes at and below each node, in preorder.
std::vector<std::vector<int>> subtrees(Tree const& tree);

}  // namespace rondo::generate::classical
