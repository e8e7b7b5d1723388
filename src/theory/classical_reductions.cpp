// Predicts the messages of reduce, scan and exscan. Each function writes the messages of one algorithm to a Ledger,
// round by round (classical_parts.hpp).

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/ids.hpp"
#include "theory/classical_parts.hpp"

namespace rondo::theory {
namespace {

using problem::Classical;

/// Finds node v in a binary tree whose subtrees are runs of consecutive ranks. The last rank of a run is its top. The
/// other ranks of the run form a lower and an upper half, and the last rank of each half is a child of the top.
Node in_order_node(int v, int p) {
  Node node{-1, 0, 0};
  int first = 0;
  for (int last = p - 1; last != v; ++node.depth) {
    int const lower = (last - first + 1) / 2;
    node.parent = last;
    if (v < first + lower) {
      last = first + lower - 1;
    } else {
      first += lower;
      --last;
    }
  }
  node.round = node.depth;
  return node;
}

/// Writes the messages up a tree whose node v is the rank first + v, modulo the number of ranks. The tree ends at the
/// rank `top`. If that is not the problem's root, it sends the result to the root in a last round.
///
/// If the vector is one segment and children are served in turn, the rounds are those in which a vector would go down
/// the tree, in reverse. Otherwise a node of depth d sends its segments one after the other, beginning in round
/// height - d + 1.
void up(Ledger& ledger, Classical const& problem, Nodes const& nodes, int first, int top) {
  std::int64_t const units = units_of(problem.sizes.block);
  FromRoot const rank{problem.ranks, first};
  std::int64_t const segment = problem.segment == Bytes(0) ? units : problem.segment.value;
  std::int64_t const segments = (units + segment - 1) / segment;
  bool const in_turn = segments == 1 && problem.children == problem::Children::in_turn;
  std::int64_t const rounds = in_turn ? nodes.rounds : nodes.height + segments - 1;
  std::vector<int> order;  // by parent, its nearest child first
  for (int v = 0; v < problem.ranks; ++v) {
    if (nodes.of[at(v)].parent >= 0) order.push_back(v);
  }
  auto const key = [&](int v) { return std::pair(nodes.of[at(v)].parent, std::abs(v - nodes.of[at(v)].parent)); };
  std::sort(order.begin(), order.end(), [&](int a, int b) { return key(a) < key(b); });
  for (std::int64_t t = 1; t <= rounds && problem.ranks > 1; ++t) {
    ledger.begin_round();
    for (int const v : order) {
      Node const& node = nodes.of[at(v)];
      std::int64_t const begin = 1 + (in_turn ? nodes.rounds - node.round : nodes.height - node.depth);
      std::int64_t const s = t - begin;
      bool const sends = 0 <= s && s < segments;
      if (sends) ledger.message(rank(v), rank(node.parent), std::min(segment, units - s * segment));
    }
  }
  if (top == problem.root) return;
  ledger.begin_round();
  ledger.message(top, problem.root, units);
}

/// Writes the messages up a tree that leads to the root. If the order of contributions matters, it leads to rank 0,
/// which sends the result to the root.
void up(Ledger& ledger, Classical const& problem, TreeShape const& shape) {
  int const top = problem.commutative ? problem.root : 0;
  up(ledger, problem, nodes_of(problem.ranks, shape), top, top);
}

/// Returns the units of the parts that node v still has after halving with the partners at distances 1, 2, 4, ... below
/// `width`. At each distance a node keeps the lower half of its parts if its bit is 0.
std::int64_t kept(Run const& parts, int q, int v, int width) {
  int const size = q / width;
  int index = 0;
  for (int bit = 1; bit < width; bit *= 2) index = 2 * index + ((v & bit) != 0 ? 1 : 0);
  return parts.of(index * size, (index + 1) * size);
}

}  // namespace

void reduce_chain(Ledger& ledger, Classical const& problem) {
  up(ledger, problem, chains(problem.ranks, radix_of(problem)));
}
void reduce_pipeline(Ledger& ledger, Classical const& problem) { up(ledger, problem, chains(problem.ranks, 1)); }
void reduce_binary(Ledger& ledger, Classical const& problem) { up(ledger, problem, binary()); }
void reduce_binomial(Ledger& ledger, Classical const& problem) {
  up(ledger, problem, binomial(problem.ranks, problem.distances));
}
void reduce_knomial(Ledger& ledger, Classical const& problem) {
  up(ledger, problem, knomial(problem.ranks, radix_of(problem)));
}
void reduce_bine(Ledger& ledger, Classical const& problem) {
  up(ledger, problem, bine(problem.ranks, problem.distances));
}
/// The tree is binary. It ends at the last rank, so contributions are joined in the order of ranks.
void reduce_in_order_binary(Ledger& ledger, Classical const& problem) {
  Nodes nodes;
  for (int v = 0; v < problem.ranks; ++v) {
    nodes.of.push_back(in_order_node(v, problem.ranks));
    nodes.rounds = nodes.height = std::max(nodes.height, nodes.of.back().depth);
  }
  up(ledger, problem, nodes, 0, problem.ranks - 1);
}

/// A reduce-scatter by halving, then a gather to the root. Before that, the second rank of each pair (Pairs) hands its
/// vector to the first one.
void reduce_rabenseifner(Ledger& ledger, Classical const& problem) {
  std::int64_t const units = units_of(problem.sizes.block);
  Pairs const pairs(problem.ranks, 0);
  int const q = pairs.q;
  Run const parts = Run::parts(units, q);
  if (pairs.x > 0) {
    ledger.begin_round();
    for (int i = 0; i < pairs.x; ++i) ledger.message(2 * i + 1, 2 * i, units);
  }
  for (int mask = 1; mask < q; mask *= 2) {
    ledger.begin_round();
    for (int v = 0; v < q; ++v) {
      ledger.message(pairs.rank(v), pairs.rank(v ^ mask), kept(parts, q, v ^ mask, 2 * mask));
    }
  }
  // If the root has handed its vector to its partner, it takes the place of node 0 in the gather.
  bool const replaced = problem.root < 2 * pairs.x && problem.root % 2 == 1;
  auto const rank = [&](int v) { return replaced && v == 0 ? problem.root : pairs.rank(v); };
  if (replaced) {
    ledger.begin_round();
    ledger.message(0, problem.root, parts.of(0));
  }
  int root_node = 0;
  while (rank(root_node) != problem.root) ++root_node;
  for (int mask = q / 2; mask >= 1; mask /= 2) {
    ledger.begin_round();
    for (int v = 0; v < q; ++v) {
      // A node sends when `mask` is the highest bit in which it differs from the root's node.
      if ((v ^ root_node) / mask == 1) ledger.message(rank(v), rank(v ^ mask), kept(parts, q, v, 2 * mask));
    }
  }
}

/// All ranks send to the root in one round.
void reduce_linear(Ledger& ledger, Classical const& problem) {
  if (problem.ranks > 1) ledger.begin_round();
  for (int r = 0; r < problem.ranks; ++r) {
    if (r != problem.root) ledger.message(r, problem.root, units_of(problem.sizes.block));
  }
}

/// Each rank waits for the one before it, so every message is a round.
void scan_linear(Ledger& ledger, Classical const& problem) {
  for (int r = 0; r + 1 < problem.ranks; ++r) {
    ledger.begin_round();
    ledger.message(r, r + 1, units_of(problem.sizes.block));
  }
}

/// In each round the ranks at distance `mask` exchange the contributions that they have joined so far. Ranks without a
/// partner are idle.
void scan_recursive_doubling(Ledger& ledger, Classical const& problem) {
  for (int mask = 1; mask < problem.ranks; mask *= 2) {
    ledger.begin_round();
    for (int r = 0; r < problem.ranks; ++r) {
      if ((r ^ mask) < problem.ranks) ledger.message(r, r ^ mask, units_of(problem.sizes.block));
    }
  }
}

}  // namespace rondo::theory
