#pragma once

// The sizes and the trees of collectives on all ranks as formulas, for the predictions of classical_*.cpp alone.
// generate/classical_patterns.hpp builds the same trees in another way, so that one checks the other.

#include <bit>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "problem/classical.hpp"
#include "theory/classical_ledger.hpp"

namespace rondo::theory {

/// The sizes of consecutive parts or blocks, in the units of a Ledger. of() sums a run of them in constant time.
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
  int parent = 0;               ///< -1 for the root
  int round = 1;                ///< the round in which it gets its message, if each message carries the whole vector
  int depth = 0;                ///< the number of messages on the way from the root
  int turn = 0;                 ///< `round` as the shape states it; orders the children if a caller changes `round`
  std::vector<int> below = {};  ///< with Below::listed: the node and all nodes below it, in no particular order
};
/// The nodes of a tree, by number. Entry 0 is the root; it is in round 0, and its `below` stays empty.
struct Nodes {
  std::vector<Node> of;
  int rounds = 0;  ///< the last round of a node
  int height = 0;  ///< the largest depth
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
/// The parent of a node lacks one of its set bits: the highest if distances rise, the lowest if they fall.
TreeShape binomial(int p, problem::Distances distances);
/// The parent lacks the lowest digit of the node, in base `radix`, that is not 0.
TreeShape knomial(int p, int radix);
/// The Bine tree of p = 2^L nodes [Desensi25, Section 3]. Write a node in base -2 with L digits. If distances fall, a
/// node whose last u digits are equal, and no more, gets its message in round L + 1 - u. If they rise, the position of
/// the highest digit 1, counted from 1, is the round; for an even node it is taken from the negative of the node.
TreeShape bine(int p, problem::Distances distances);

/// All nodes except the root, sorted by round, then by turn, then by number. A parent sends to its children in this
/// order.
std::vector<int> in_sending_order(Nodes const& nodes);

/// The last bits of the representation of `rank`, which may be negative, in base -2.
std::uint32_t negabinary(int rank, int bits);

/// The partner of one of 2^bits nodes in round s of a Bine butterfly: rho(s) after even nodes and before odd nodes,
/// with rho(0) = 1 and rho(s + 1) = 1 - 2 rho(s) [Desensi25]. Rounds s are counted from 0.
int bine_partner(int node, int bits, int round);

/// One of the two trees over the nodes 0 .. n-1 of [Sanders09]. In the first tree the root is 0. A node r with lowest
/// set bit b has the parent r + b if bit 2b of r is clear and node r + b exists; otherwise r - b. The second tree has
/// node n-1-v in the place of v if n is even, and node (v+1) mod n if n is odd.
struct HalfTree {
  std::vector<int> parent;  ///< by node; -1 for the root
  std::vector<int> depth;   ///< by node: the number of messages from the root
  std::vector<int> order;   ///< entry v: the node in the place of node v of the first tree
  int height = 0;           ///< the largest depth
};
/// `half` is 0 for the first tree and 1 for the second.
HalfTree half_tree(int nodes, int half);

/// Ranks as a power of two of nodes: the first x nodes represent two ranks each, the others one.
struct Pairs {
  int q;       ///< the number of nodes, the largest power of two that is not above p
  int x;       ///< p - q
  int offset;  ///< which rank of a pair, 0 or 1, sends and receives for the node

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
/// The messages of Bruck's allgather of the blocks of p ranks, with groups of `radix`.
void bruck(Ledger& ledger, std::int64_t p, std::int64_t radix, Run const& blocks);
/// The messages of an allgather on a ring.
void ring(Ledger& ledger, FromRoot const& rank, Run const& parts);

/// Writes all messages of the problem's algorithm.
void write(Ledger& ledger, problem::Classical const& problem);
/// One function for each row of problem/catalogue.def. It writes all messages of the row's algorithm.
#define ALGORITHM(collective, word, generator, counts, ...) \
  void counts(Ledger& ledger, problem::Classical const& problem);
#include "problem/catalogue.def"
#undef ALGORITHM

}  // namespace rondo::theory
