// Builds trees, and writes the rounds of exchanges and butterflies. Each builder of a tree decides in which round a
// node gets its message. A generator that sends whole vectors uses these rounds, and one that pipelines segments uses
// the depths. In exchanges nodes are ranks counted from the root. A Butterfly maps its nodes to ranks, and names their
// partners.

#include "generate/classical_patterns.hpp"

#include <algorithm>
#include <bit>

#include "base/ids.hpp"

namespace rondo::generate::classical {
namespace {

Tree only_root(int nodes) {
  auto const n = static_cast<std::size_t>(nodes);
  return {std::vector(n, -1), std::vector<std::vector<int>>(n), std::vector(n, 0), std::vector(n, 0)};
}

/// The child gets its message in this round. Parents must be attached before their children.
void attach(Tree& tree, int parent, int child, int round) {
  tree.parent[at(child)] = parent;
  tree.children[at(parent)].push_back(child);
  tree.round[at(child)] = round;
  tree.depth[at(child)] = tree.depth[at(parent)] + 1;
}

int ceil_log2(int n) { return std::bit_width(static_cast<unsigned>(n - 1)); }

}  // namespace

int Tree::rounds() const { return *std::max_element(round.begin(), round.end()); }
int Tree::height() const { return *std::max_element(depth.begin(), depth.end()); }

Tree linear_tree(int nodes, int at_once) {
  Tree tree = only_root(nodes);
  for (int v = 1; v < nodes; ++v) attach(tree, 0, v, (v - 1) / at_once + 1);
  return tree;
}

/// Chains of nearly equal lengths hang from the root; the first ones are the longest.
Tree chain_tree(int nodes, int chains) {
  Tree tree = only_root(nodes);
  int next = 1;
  for (int left = std::min(chains, nodes - 1); left > 0; --left) {
    int const length = (nodes - next + left - 1) / left;
    attach(tree, 0, next, 1);
    for (int k = 1; k < length; ++k) attach(tree, next + k - 1, next + k, k + 1);
    next += length;
  }
  return tree;
}

/// Node v with 2^k <= v + 1 < 2^(k+1) has the children v + 2^k and v + 2^(k+1).
Tree binary_tree(int nodes) {
  Tree tree = only_root(nodes);
  for (int v = 0; v < nodes; ++v) {
    int const delta = static_cast<int>(std::bit_floor(static_cast<unsigned>(v + 1)));
    for (int const child : {v + delta, v + 2 * delta}) {
      if (child < nodes) attach(tree, v, child, std::bit_width(static_cast<unsigned>(delta)));
    }
  }
  return tree;
}

/// In each round every node that has the data sends it on. With falling distances, subtrees are runs of consecutive
/// nodes.
Tree binomial_tree(int nodes, problem::Distances distances) {
  Tree tree = only_root(nodes);
  int const rounds = ceil_log2(nodes);
  for (int t = 1; t <= rounds; ++t) {
    bool const falling = distances == problem::Distances::falling;
    int const distance = 1 << (falling ? rounds - t : t - 1);
    int const stride = falling ? 2 * distance : 1;
    int const end = falling ? nodes : distance;
    for (int v = 0; v < end && v + distance < nodes; v += stride) attach(tree, v, v + distance, t);
  }
  return tree;
}

/// Each node divides its run of nodes by the radix, and sends to the first node of each other part.
Tree knomial_tree(int nodes, int radix) {
  Tree tree = only_root(nodes);
  std::int64_t width = 1;
  while (width < nodes) width *= radix;
  for (int t = 1; width > 1; ++t) {
    std::int64_t const distance = width / radix;
    for (std::int64_t v = 0; v < nodes; v += width) {
      for (int j = 1; j < radix && v + j * distance < nodes; ++j) {
        attach(tree, static_cast<int>(v), static_cast<int>(v + j * distance), t);
      }
    }
    width = distance;
  }
  return tree;
}

/// The partner of a node in round s. Its distance is (1 - (-2)^(s+1)) / 3, whose representation in base -2 is s + 1
/// digits 1. Even nodes add the distance, odd nodes subtract it.
int bine_partner(int node, int s, int nodes) {
  std::int64_t power = 1;
  for (int k = 0; k <= s; ++k) power *= -2;
  std::int64_t const rho = (1 - power) / 3;
  std::int64_t const to = (node + (node % 2 == 0 ? rho : -rho)) % nodes;
  return static_cast<int>(to < 0 ? to + nodes : to);
}

/// The nodes that have the data send it to their partners, round by round.
Tree bine_tree(int nodes, problem::Distances distances) {
  Tree tree = only_root(nodes);
  int const rounds = ceil_log2(nodes);
  std::vector<int> reached{0};
  for (int t = 1; t <= rounds; ++t) {
    int const s = distances == problem::Distances::falling ? rounds - t : t - 1;
    std::size_t const holders = reached.size();
    for (std::size_t i = 0; i < holders; ++i) {
      int const child = bine_partner(reached[i], s, nodes);
      attach(tree, reached[i], child, t);
      reached.push_back(child);
    }
  }
  return tree;
}

/// The nodes of the subtree of each node, itself included. Deeper nodes come first, so that each list is complete
/// before the parent takes it.
std::vector<std::vector<int>> subtrees(Tree const& tree) {
  std::vector<std::vector<int>> below(tree.parent.size());
  std::vector<int> by_depth(tree.parent.size());
  for (int v = 0; v < tree.nodes(); ++v) by_depth[at(v)] = v;
  std::stable_sort(by_depth.begin(), by_depth.end(),
                   [&](int a, int b) { return tree.depth[at(a)] > tree.depth[at(b)]; });
  for (int const v : by_depth) {
    below[at(v)].push_back(v);
    for (int const child : tree.children[at(v)]) {
      below[at(v)].insert(below[at(v)].end(), below[at(child)].begin(), below[at(child)].end());
    }
  }
  return below;
}

namespace {

/// The pieces of the parts first .. last-1.
Pieces of_run(std::vector<Pieces> const& parts, int first, int last) {
  Pieces pieces;
  for (int k = first; k < last; ++k) pieces.insert(pieces.end(), parts[at(k)].begin(), parts[at(k)].end());
  return pieces;
}

/// The first `partners` of the `mask` lower nodes, which begin at `base`, have exchanged with the upper nodes, which
/// are fewer than `mask`. This function sends `upper`, the parts of all upper nodes, to the lower nodes that had no
/// partner. In each round the nodes that have these parts send them on over half the distance of the round before; a
/// round without messages is left out.
void complete_lower_half(Writer& writer, Relative const& rank, Pieces const& upper, int base, int mask, int partners) {
  for (int half = mask / 2; half > 0; half /= 2) {
    bool begun = false;
    for (int v = base; v < base + mask; ++v) {
      int const first = v - v % (2 * half);
      bool const sends = v % (2 * half) < half && v < first + partners && v + half >= first + partners;
      if (!sends) continue;
      if (!begun) writer.begin_round();
      begun = true;
      writer.message(rank(v), rank(v + half), upper);
    }
  }
}

}  // namespace

void ring(Writer& writer, Relative const& rank, std::vector<Pieces> const& parts) {
  int const p = rank.ranks();
  for (int t = 0; t + 1 < p; ++t) {
    writer.begin_round();
    for (int v = 0; v < p; ++v) writer.message(rank(v), rank((v + 1) % p), parts[at((v - t + p) % p)]);
  }
}

void recursive_doubling(Writer& writer, Relative const& rank, std::vector<Pieces> const& parts) {
  int const p = rank.ranks();
  for (int mask = 1; mask < p; mask *= 2) {
    writer.begin_round();
    for (int base = 0; base + mask < p; base += 2 * mask) {
      int const end = std::min(base + 2 * mask, p);
      Pieces const lower = of_run(parts, base, base + mask);
      Pieces const upper = of_run(parts, base + mask, end);
      for (int v = base + mask; v < end; ++v) {
        writer.message(rank(v - mask), rank(v), lower);
        writer.message(rank(v), rank(v - mask), upper);
      }
    }
    // Only the last run of nodes can be incomplete.
    int const base = p - p % (2 * mask);
    int const partners = p - base - mask;
    if (0 < partners && partners < mask) {
      complete_lower_half(writer, rank, of_run(parts, base + mask, p), base, mask, partners);
    }
  }
}

namespace {

/// Appends the nodes that a node reaches in the rounds from `round` on. The node is responsible for their parts.
void collect(Butterfly const& butterfly, int node, int round, std::vector<int>& nodes) {
  if (round == butterfly.rounds) {
    nodes.push_back(node);
    return;
  }
  collect(butterfly, node, round + 1, nodes);
  collect(butterfly, butterfly.partner(node, round), round + 1, nodes);
}

/// The parts of all nodes that a node reaches from this round on.
Pieces parts_of(Butterfly const& butterfly, int node, int round, std::vector<Pieces> const& parts) {
  Pieces pieces;
  for (int const each : reached(butterfly, node, round)) {
    pieces.insert(pieces.end(), parts[at(each)].begin(), parts[at(each)].end());
  }
  return pieces;
}

}  // namespace

std::vector<int> reached(Butterfly const& butterfly, int node, int round) {
  std::vector<int> nodes;
  collect(butterfly, node, round, nodes);
  return nodes;
}

/// In each round a node sends its partner the parts that the partner's side will keep.
void reduce_scatter(Writer& writer, Butterfly const& butterfly, std::vector<Pieces> const& parts) {
  for (int round = 0; round < butterfly.rounds; ++round) {
    writer.begin_round();
    for (int v = 0; v < butterfly.nodes(); ++v) {
      int const to = butterfly.partner(v, round);
      int const source = butterfly.rank(v);
      int const target = butterfly.rank(to);
      writer.message(source, target, parts_of(butterfly, to, round + 1, parts), join_from(source, target));
    }
  }
}

/// The rounds of reduce_scatter in reverse order, with results instead of contributions.
void allgather_back(Writer& writer, Butterfly const& butterfly, std::vector<Pieces> const& parts) {
  for (int round = butterfly.rounds - 1; round >= 0; --round) {
    writer.begin_round();
    for (int v = 0; v < butterfly.nodes(); ++v) {
      writer.message(butterfly.rank(v), butterfly.rank(butterfly.partner(v, round)),
                     parts_of(butterfly, v, round + 1, parts));
    }
  }
}

/// Partners exchange whole vectors in each round and join them.
void exchange_all(Writer& writer, Butterfly const& butterfly, Pieces const& all) {
  for (int round = 0; round < butterfly.rounds; ++round) {
    writer.begin_round();
    for (int v = 0; v < butterfly.nodes(); ++v) {
      int const source = butterfly.rank(v);
      int const target = butterfly.rank(butterfly.partner(v, round));
      writer.message(source, target, all, join_from(source, target));
    }
  }
}

Fold::Fold(int ranks, LeftOut left_out)
    : rounds_(std::bit_width(static_cast<unsigned>(ranks)) - 1), extra_(ranks - (1 << rounds_)), left_out_(left_out) {}

/// Each surplus rank sends its vector to its neighbor, whose number differs only in the lowest bit.
void Fold::in(Writer& writer, Pieces const& all) const {
  if (extra_ == 0) return;
  writer.begin_round();
  for (int i = 0; i < extra_; ++i) {
    int const stays = rank(i);
    writer.message(stays ^ 1, stays, all, join_from(stays ^ 1, stays));
  }
}

/// Each neighbor sends the result back to its surplus rank.
void Fold::out(Writer& writer, Pieces const& all) const {
  if (extra_ == 0) return;
  writer.begin_round();
  for (int i = 0; i < extra_; ++i) writer.message(rank(i), rank(i) ^ 1, all);
}

}  // namespace rondo::generate::classical
