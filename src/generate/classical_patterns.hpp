#pragma once

// The communication patterns that collectives on all ranks share; for this folder alone. Nodes are ranks counted from
// the root, which is node 0.
//
// Trees: vectors are broadcast and blocks are scattered down a tree, and blocks are gathered up it.
// Exchanges: after them all ranks have all parts, of which each lies at a single rank at first. Part v starts at node
// v.
// Butterflies: exchanges in rounds 0 .. L-1 among 2^L nodes, in each of which every node exchanges with a partner.
// After all rounds every node has heard from all nodes, whichever partners are used. With parts that become fewer
// from round to round a butterfly scatters a reduction. In reverse, with parts that become more, it gathers the
// result.

#include <functional>
#include <limits>
#include <vector>

#include "generate/classical_writer.hpp"
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

/// Maps nodes to ranks: node v is rank (v + root) mod p.
class Relative {
 public:
  Relative(int ranks, int root) : ranks_(ranks), root_(root) {}
  int operator()(int node) const { return (node + root_) % ranks_; }
  int ranks() const { return ranks_; }

 private:
  int ranks_, root_;
};

/// In round t = 0 .. p-2 node v sends part v - t to node v + 1, both modulo p. `parts` has one entry for each node, as
/// in the next function.
void ring(Writer& writer, Relative const& rank, std::vector<Pieces> const& parts);

/// Node v exchanges with node v ^ mask, for mask = 1, 2, 4, ..., the parts of their halves of a run of 2 mask nodes. If
/// the upper half is incomplete, some nodes of the lower half have no partner. They get the parts of the upper half
/// from nodes that have one, in further rounds that halve the lower half.
void recursive_doubling(Writer& writer, Relative const& rank, std::vector<Pieces> const& parts);

/// The partners of a butterfly, and the ranks that are its nodes.
struct Butterfly {
  int rounds = 0;
  std::function<int(int node, int round)> partner;
  std::function<int(int node)> rank;  ///< of a node; nodes may be only some of all ranks
  int nodes() const { return 1 << rounds; }
};

/// The nodes that a node reaches in the rounds from `round` on, including itself.
std::vector<int> reached(Butterfly const& butterfly, int node, int round);

/// Every node sends its partner the parts that the partner still reaches, and joins the parts that it receives. In the
/// end part v is reduced over all nodes at node v.
void reduce_scatter(Writer& writer, Butterfly const& butterfly, std::vector<Pieces> const& parts);
/// Runs the same butterfly in reverse: every node sends its partner the parts that it has.
void allgather_back(Writer& writer, Butterfly const& butterfly, std::vector<Pieces> const& parts);
/// Every node exchanges all parts with its partner, and joins them.
void exchange_all(Writer& writer, Butterfly const& butterfly, Pieces const& all);

/// Which ranks of the first pairs take no part in a butterfly.
enum class LeftOut : std::uint8_t { even, odd };
/// Reduces p ranks to 2^L nodes. The x = p - 2^L surplus ranks are the even ones, or the odd ones, of the first 2x
/// ranks. They take no part in the butterfly; their neighbors act for them. The other ranks are the nodes, in order.
class Fold {
 public:
  Fold(int ranks, LeftOut left_out);
  int rounds() const { return rounds_; }
  int extra() const { return extra_; }
  int rank(int node) const { return node < extra_ ? 2 * node + (left_out_ == LeftOut::even ? 1 : 0) : node + extra_; }
  /// The surplus ranks give all their contributions to their neighbors, which are nodes.
  void in(Writer& writer, Pieces const& all) const;
  /// The surplus ranks get the result.
  void out(Writer& writer, Pieces const& all) const;

 private:
  int rounds_, extra_;
  LeftOut left_out_;
};

}  // namespace rondo::generate::classical
