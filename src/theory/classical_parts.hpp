#pragma once

// The sizes and the trees of collectives on all ranks as formulas, for the predictions of classical_*.cpp alone.
// generate/classical_trees.hpp builds the same trees in another way, so that one checks the other.

#include <bit>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "problem/classical.hpp"
#include "theory/classical_ledger.hpp"

namespace rondo::theory {

/// As many consecutive blocks as ranks, with sizes in the units of a Ledger.
class Run {
 public:
  /// A vector of this many units in n parts of ceil(units / n); the last ones are shorter or empty.
  static Run parts(std::int64_t units, int n);
  /// The block of each rank, beginning with that of `first`, modulo the number of ranks.
  static Run blocks(problem::Classical const& problem, int first);

  /// The units of the blocks first .. last-1. After the last block it continues with the first one.
  std::int64_t of(std::int64_t first, std::int64_t last) const;
  std::int64_t of(std::int64_t block) const { return of(block, block + 1); }
  std::int64_t all() const { return before_.back(); }

 private:
  std::vector<std::int64_t> before_{0};  ///< by block: the units before it; the last entry is the sum
};

/// The units of a block of the problem: its bytes, or 1 if it has none.
std::int64_t units_of(Bytes block);

/// A node of a tree over 0 .. p-1; the root is node 0.
struct Node {
  int parent = 0;
  int round = 1;                ///< the round in which it gets its message, if the whole vector is sent down
  int depth = 0;                ///< number of messages from the root
  int turn = 0;                 ///< orders the children of a node
  std::vector<int> below = {};  ///< the node and all nodes below it, in no particular order
};
/// Indexed by node. Entry 0 is the root, which has no parent. `below` is only filled if Below::listed asks for it.
struct Nodes {
  std::vector<Node> of;
  int rounds = 0;
  int height = 0;
};
/// Whether the nodes below each node are listed too.
enum class Below : std::uint8_t { left_out, listed };
/// The parent and the round of each node but the root.
using TreeShape = std::function<Node(int node)>;
/// The tree of p nodes with this shape.
Nodes nodes_of(int p, TreeShape const& shape, Below below = Below::left_out);

/// The root serves `at_once` nodes in a round.
TreeShape straight(int at_once = std::numeric_limits<int>::max());
/// k chains of ceil((p-1)/k) or floor((p-1)/k) nodes. The longer ones come first.
TreeShape chains(int p, int k);
/// Level l has the nodes 2^l - 1 .. 2^(l+1) - 2. The parent of the first half is 2^(l-1) lower, and of the second half
/// 2^l lower.
TreeShape binary();
TreeShape binomial(int p, problem::Distances distances);
TreeShape knomial(int p, int radix);
/// The node in negabinary. In the falling tree, a node gets its message in the round that looks at as many last bits as
/// are equal. In the rising tree the highest bit gives the round, of the number of an odd node, or of the negative
/// number of an even node [Desensi25, Section 3].
TreeShape bine(int p, problem::Distances distances);

/// The nodes sorted by round, then by turn, then by number: the order in which a parent sends to its children.
std::vector<int> in_sending_order(Nodes const& nodes);

/// The last bits of the representation of `rank`, which may be negative, in base -2.
std::uint32_t negabinary(int rank, int bits);

/// The partner of one of 2^bits nodes in round s of a Bine butterfly: rho(s) after even nodes and before odd nodes,
/// with rho(0) = 1 and rho(s + 1) = 1 - 2 rho(s) [Desensi25].
int bine_partner(int node, int bits, int round);

/// Two trees over the nodes 0 .. n-1, each with the parent of every node (-1 for the root) and its depth. A node r with
/// lowest set bit b has the parent r - b or r + b: the one in which bit 2b is set, if it exists, else the other. The
/// root is 0. In the second tree the nodes are in reverse order, or, if n is odd, shifted by one.
struct HalfTree {
  std::vector<int> parent, depth;
  std::vector<int> order;  ///< the nodes in the order of the first tree
  int height = 0;
};
HalfTree half_tree(int nodes, int half);

/// A power of two of nodes, of which the first x represent two ranks each.
struct Pairs {
  int q, x;
  int offset;  ///< which rank of a pair is the node

  Pairs(int p, int kept) : q(static_cast<int>(std::bit_floor(static_cast<unsigned>(p)))), x(p - q), offset(kept) {}
  int rank(int v) const { return v < x ? 2 * v + offset : v + x; }
  int bits() const { return std::bit_width(static_cast<unsigned>(q)) - 1; }
  /// The first rank that a node represents.
  int first(int v) const { return v < x ? 2 * v : v + x; }
};

/// The ranks of nodes, which are counted from the root.
struct FromRoot {
  int ranks, root;
  int operator()(int node) const { return (node + root) % ranks; }
};

/// The messages of recursive doubling, which begins with one part at each node.
void recursive_doubling(Ledger& ledger, FromRoot const& rank, Run const& parts);
/// The messages of Bruck's allgather of the blocks of p ranks.
void bruck(Ledger& ledger, std::int64_t p, std::int64_t radix, Run const& blocks);
/// The messages of an allgather on a ring.
void ring(Ledger& ledger, FromRoot const& rank, Run const& parts);

/// Writes all messages of the problem's algorithm.
void write(Ledger& ledger, problem::Classical const& problem);
/// They write all messages of the algorithm, for each row of problem/catalogue.def.
#define ALGORITHM(collective, word, generator, counts, ...) \
  void counts(Ledger& ledger, problem::Classical const& problem);
#include "problem/catalogue.def"
#undef ALGORITHM

}  // namespace rondo::theory
