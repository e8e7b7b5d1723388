#pragma once

// The sizes and the trees of collectives on all ranks, in formulas: for the predictions of classical_*.cpp alone.

#include <bit>
#include <cstdint>
#include <vector>

#include "problem/classical.hpp"
#include "theory/classical_ledger.hpp"

namespace rondo::theory {

/// Blocks one behind the other, as many as ranks, in the units of a Ledger.
class Run {
 public:
  /// A vector of so many units in n parts of ceil(units / n), the last ones shorter or empty.
  static Run parts(std::int64_t units, int n);
  /// The block of each rank, from that of `first` on, modulo the number of ranks.
  static Run blocks(problem::Classical const& problem, int first);

  /// The units of blocks first .. last-1; past the end it goes on at the start.
  std::int64_t of(std::int64_t first, std::int64_t last) const;
  std::int64_t of(std::int64_t block) const { return of(block, block + 1); }
  std::int64_t all() const { return before_.back(); }

 private:
  std::vector<std::int64_t> before_{0};  ///< by block, what lies before it; then all
};

/// The units of a block of the problem: its bytes, or 1 where it has none.
std::int64_t units_of(Bytes block);

/// A node of a tree over 0 .. p-1, not the root, 0.
struct Node {
  int parent = 0;
  int round = 1;                ///< in which it gets its message, if all goes down whole
  int depth = 0;                ///< messages from the root
  int turn = 0;                 ///< children of a rank are sent to in the order of their turns
  std::vector<int> below = {};  ///< itself and all below it, in no order
};
/// By node; entry 0 stands for the root, which has no parent. `below` is filled on demand.
struct Nodes {
  std::vector<Node> of;
  int rounds = 0;
  int height = 0;
};
enum class Below : std::uint8_t { left_out, listed };
Nodes nodes_of(problem::Classical const& problem, Below below);

/// The nodes by round, then by turn and by number: the order in which a parent sends to its children.
std::vector<int> in_sending_order(Nodes const& nodes);

/// The last bits of the number to the base of -2 that stands for `rank`, which may be negative.
std::uint32_t negabinary(int rank, int bits);

/// The partner of a node among 2^bits in round s of a Bine butterfly: rho(s) ahead of even nodes and behind odd ones,
/// rho(0) = 1 and rho(s + 1) = 1 - 2 rho(s) [Desensi25].
int bine_partner(int node, int bits, int round);

/// Two trees over nodes 0 .. n-1, each with the parent of a node, -1 for its root, and its depth: node r with lowest
/// bit b hangs on r - b or r + b, of which the one is taken whose bit 2b is set, if it is there; the root is 0. In the
/// second tree nodes stand in reverse order, or where n is odd are moved on by one.
struct HalfTree {
  std::vector<int> parent, depth;
  std::vector<int> order;  ///< the nodes as they stand in the first tree
  int height = 0;
};
HalfTree half_tree(int nodes, int half);

/// A power of two of nodes, the first x of which stand for two ranks.
struct Pairs {
  int q, x;
  int offset;  ///< which rank of a pair is the node

  Pairs(int p, int kept) : q(static_cast<int>(std::bit_floor(static_cast<unsigned>(p)))), x(p - q), offset(kept) {}
  int rank(int v) const { return v < x ? 2 * v + offset : v + x; }
  /// The first rank that a node stands for.
  int first(int v) const { return v < x ? 2 * v : v + x; }
};

/// Ranks by nodes.
struct FromRoot {
  int ranks, root;
  int operator()(int node) const { return (node + root) % ranks; }
};

/// The messages of recursive doubling from one part at each node.
void recursive_doubling(Ledger& ledger, FromRoot const& rank, Run const& parts);
/// The messages of Bruck's allgather of what each of p ranks has.
void bruck(Ledger& ledger, std::int64_t p, std::int64_t radix, Run const& blocks);
/// The messages of a ring.
void ring(Ledger& ledger, FromRoot const& rank, Run const& parts);

/// Everything that the problem sends.
void write(Ledger& ledger, problem::Classical const& problem);
/// Everything that each kind sends.
void bcast(Ledger& ledger, problem::Classical const& problem);
void gather(Ledger& ledger, problem::Classical const& problem);
void scatter(Ledger& ledger, problem::Classical const& problem);
void allgather(Ledger& ledger, problem::Classical const& problem);
void alltoall(Ledger& ledger, problem::Classical const& problem);
void reduce(Ledger& ledger, problem::Classical const& problem);
void reduce_scatter(Ledger& ledger, problem::Classical const& problem);
/// Also an exscan.
void scan(Ledger& ledger, problem::Classical const& problem);
void allreduce(Ledger& ledger, problem::Classical const& problem);
void barrier(Ledger& ledger, problem::Classical const& problem);

}  // namespace rondo::theory
