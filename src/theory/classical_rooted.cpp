// The messages of bcast, gather and scatter.

#include <algorithm>
#include <limits>

#include "base/ids.hpp"
#include "theory/classical_parts.hpp"

namespace rondo::theory {
namespace {

using problem::Classical;

/// The whole vector goes down, to each node in its round.
void down_whole(Ledger& ledger, Nodes const& nodes, FromRoot const& rank, std::int64_t units) {
  std::vector<int> const order = in_sending_order(nodes);
  int round = 0;
  for (int const v : order) {
    Node const& node = nodes.of[at(v)];
    for (; round < node.round; ++round) ledger.begin_round();
    ledger.message(rank(node.parent), rank(v), units);
  }
}

/// A node of depth d gets segment s in round d + s, with size(node, s) units.
template <typename Size>
void down_pipelined(Ledger& ledger, Nodes const& nodes, FromRoot const& rank, std::int64_t segments, Size const& size) {
  std::vector<int> const order = in_sending_order(nodes);
  if (order.empty()) return;
  for (std::int64_t t = 1; t < nodes.height + segments; ++t) {
    ledger.begin_round();
    for (int const v : order) {
      std::int64_t const s = t - nodes.of[at(v)].depth;
      if (0 <= s && s < segments) ledger.message(rank(nodes.of[at(v)].parent), rank(v), size(v, s));
    }
  }
}

/// The units of segment s of a vector.
std::int64_t segment_of(std::int64_t units, std::int64_t segment, std::int64_t s) {
  return std::clamp<std::int64_t>(units - s * segment, 0, segment);
}

}  // namespace

/// The two halves of the vector go down the two subtrees of the root, and are exchanged at the end.
void bcast_split_binary(Ledger& ledger, Classical const& problem) {
  Nodes const nodes = nodes_of(problem.ranks, binary());
  FromRoot const rank{problem.ranks, problem.root};
  std::int64_t const units = units_of(problem.sizes.block);
  Bytes const stated = problem.segment;
  std::int64_t const halves[2] = {(units + 1) / 2, units / 2};
  std::int64_t const segment = stated == Bytes(0) ? halves[0] : stated.value;
  down_pipelined(ledger, nodes, rank, (halves[0] + segment - 1) / segment,
                 [&](int v, std::int64_t s) { return segment_of(halves[v % 2 == 0 ? 1 : 0], segment, s); });
  if (rank.ranks == 1) return;
  ledger.begin_round();
  for (int v = 1; v < rank.ranks; ++v) {
    bool const left = v % 2 != 0;
    int const pair = left ? v + 1 : v - 1;
    if (pair < rank.ranks) ledger.message(rank(v), rank(pair), halves[left ? 0 : 1]);
  }
  if (rank.ranks % 2 == 0) ledger.message(rank(0), rank(rank.ranks - 1), halves[1]);
}

/// Each half goes down one of two trees. Node 0 sends to the roots of both, one message ahead of the trees.
void bcast_double_tree(Ledger& ledger, Classical const& problem) {
  FromRoot const rank{problem.ranks, problem.root};
  std::int64_t const units = units_of(problem.sizes.block);
  Bytes const stated = problem.segment;
  int const nodes = rank.ranks - 1;
  if (nodes == 0) return;
  std::int64_t const halves[2] = {(units + 1) / 2, units / 2};
  std::int64_t const segment = stated == Bytes(0) ? halves[0] : stated.value;
  std::int64_t const segments = (halves[0] + segment - 1) / segment;
  HalfTree const trees[2] = {half_tree(nodes, 0), half_tree(nodes, 1)};
  for (std::int64_t t = 1; t <= trees[0].height + segments; ++t) {
    ledger.begin_round();
    for (int half = 0; half < 2; ++half) {
      for (int const v : trees[half].order) {
        std::int64_t const s = t - 1 - trees[half].depth[at(v)];
        int const parent = trees[half].parent[at(v)] + 1;
        if (0 <= s && s < segments) ledger.message(rank(parent), rank(v + 1), segment_of(halves[half], segment, s));
      }
    }
  }
}

namespace {

/// The Bine butterfly in reverse: a rank sends its part, and those of the nodes that it reaches in later rounds, to the
/// partners that did not get them in the scatter.
void bine_allgather(Ledger& ledger, Nodes const& nodes, FromRoot const& rank, Run const& parts) {
  int const p = rank.ranks;
  std::vector<std::int64_t> has;
  for (int v = 0; v < p; ++v) has.push_back(parts.of(v));
  for (int s = nodes.rounds - 1; s >= 0; --s) {
    ledger.begin_round();
    std::vector<std::int64_t> next = has;
    for (int v = 0; v < p; ++v) {
      int const to = bine_partner(v, nodes.rounds, s);
      next[at(v)] += has[at(to)];
      if (to != 0 && s < nodes.of[at(to)].round) ledger.message(rank(v), rank(to), has[at(v)]);
    }
    has = std::move(next);
  }
}

/// The broadcast on a circulant graph with skips s_0 = 1 .. s_q = p, by the search of [Traeff23]. A node is a sum of
/// skips, and its smallest skip gives the round in which a new block of the root arrives there. The block of round k
/// comes from the first sum that the search finds at least s_k behind the node and farther behind than that of round k
/// - 1. A skip that has ended a sum is not used again.
class CirculantSearch {
 public:
  /// Finds own_, the smallest skip on the greedy path from the root to the node [Traeff23].
  CirculantSearch(std::vector<int> const& skips, int node)
      : skips_(skips), q_(static_cast<int>(skips.size()) - 1), node_(node), ended_(skips.size(), false) {
    int rest = node;
    for (int e = q_ - 1; rest > 0; --e) {
      if (skips_[at(e)] > rest) continue;
      rest -= skips_[at(e)];
      own_ = e;
    }
    ended_[at(own_)] = true;
    extend(0, q_);
  }
  /// By round: the block that arrives, relative to the block that the root sends in round 0.
  std::vector<int> const& blocks() const { return blocks_; }

 private:
  /// Searches the blocks that the node gets in the rounds before, by depth first search over sums of skips.
  void extend(int sum, int largest) {
    for (int e = largest; e >= 0 && std::ssize(blocks_) < q_; --e) {
      auto const fits = [&] {
        int const reach = sum + skips_[at(e)];
        return reach <= behind(blocks_.size()) && reach < before_;
      };
      if (ended_[at(e)] || !fits()) continue;
      extend(sum + skips_[at(e)], e - 1);
      if (std::ssize(blocks_) == q_ || sum > behind(blocks_.size() + 1)) return;
      if (!fits()) continue;
      before_ = sum + skips_[at(e)];
      blocks_.push_back(e == q_ ? own_ : e - q_);
      ended_[at(e)] = true;
    }
  }
  int behind(std::size_t round) const { return skips_.back() + node_ - skips_[round]; }

  std::vector<int> const& skips_;
  int q_, node_, own_ = 0;
  std::vector<bool> ended_;
  std::vector<int> blocks_;
  int before_ = std::numeric_limits<int>::max();
};

}  // namespace

/// Every rank sends in every round, in which segments follow the receive schedule of [Traeff23].
void bcast_circulant(Ledger& ledger, Classical const& problem) {
  int const p = problem.ranks;
  FromRoot const rank{p, problem.root};
  std::int64_t const units = units_of(problem.sizes.block);
  std::int64_t const segment = problem.segment == Bytes(0) ? units : std::min(problem.segment.value, units);
  std::int64_t const segments = (units + segment - 1) / segment;
  std::vector<int> skips{1};
  int q = 0;
  while ((1 << q) < p) ++q;
  for (int k = q - 1; k >= 0; --k) skips.push_back((p + (1 << k) - 1) >> k);
  std::vector<std::vector<int>> blocks;
  for (int v = 1; v < p; ++v) blocks.push_back(CirculantSearch(skips, v).blocks());
  for (std::int64_t t = 1 - segments; p > 1 && t < q; ++t) {
    ledger.begin_round();
    // Rounds are counted from the end: the last sequence of q rounds begins at 0, when the root sends the last block.
    std::int64_t const k = (t % q + q) % q;
    for (int v = 1; v < p; ++v) {
      std::int64_t const s = segments - 1 + blocks[at(v - 1)][at(k)] + t - k;
      if (s >= 0)
        ledger.message(rank((v + p - skips[at(k)]) % p), rank(v),
                       segment_of(units, segment, std::min(s, segments - 1)));
    }
  }
}

namespace {

/// The units of the parts of a node and of all nodes below it.
std::int64_t below(Nodes const& nodes, int v, Run const& parts) {
  std::int64_t units = 0;
  for (int const node : nodes.of[at(v)].below) units += parts.of(node);
  return units;
}

/// A scatter down a tree: a node gets the parts of its whole subtree.
void down_in_parts(Ledger& ledger, Nodes const& nodes, FromRoot const& rank, Run const& parts) {
  int round = 0;
  for (int const v : in_sending_order(nodes)) {
    for (; round < nodes.of[at(v)].round; ++round) ledger.begin_round();
    ledger.message(rank(nodes.of[at(v)].parent), rank(v), below(nodes, v, parts));
  }
}

/// A gather up a tree: the rounds of the scatter in reverse.
void up_in_parts(Ledger& ledger, Nodes const& nodes, FromRoot const& rank, Run const& parts) {
  for (int round = nodes.rounds; round > 0; --round) {
    ledger.begin_round();
    for (int v = 1; v < rank.ranks; ++v) {
      if (nodes.of[at(v)].round != round) continue;
      ledger.message(rank(v), rank(nodes.of[at(v)].parent), below(nodes, v, parts));
    }
  }
}

/// Down the tree, whole or segment by segment.
void down(Ledger& ledger, Classical const& problem, TreeShape const& shape) {
  Nodes const nodes = nodes_of(problem.ranks, shape);
  FromRoot const rank{problem.ranks, problem.root};
  std::int64_t const units = units_of(problem.sizes.block);
  std::int64_t const segment = problem.segment == Bytes(0) ? units : problem.segment.value;
  bool const in_turn = segment >= units && problem.children == problem::Children::in_turn;
  if (in_turn) return down_whole(ledger, nodes, rank, units);
  down_pipelined(ledger, nodes, rank, (units + segment - 1) / segment,
                 [&](int, std::int64_t s) { return segment_of(units, segment, s); });
}

/// Scatters p parts of the vector down the tree, and then does `gather(nodes, rank, parts)`.
template <typename Gather>
void in_parts(Ledger& ledger, Classical const& problem, TreeShape const& shape, Gather const& gather) {
  Nodes const nodes = nodes_of(problem.ranks, shape, Below::listed);
  FromRoot const rank{problem.ranks, problem.root};
  Run const parts = Run::parts(units_of(problem.sizes.block), problem.ranks);
  down_in_parts(ledger, nodes, rank, parts);
  gather(nodes, rank, parts);
}

/// Moves the blocks along the tree: down, or up. If children are served at once, the round of a node is that after its
/// parent's.
template <typename Move>
void move_blocks(Ledger& ledger, Classical const& problem, TreeShape const& shape, Move const& move) {
  Nodes nodes = nodes_of(problem.ranks, shape, Below::listed);
  if (problem.children == problem::Children::at_once) {
    for (Node& node : nodes.of) node.round = node.depth;
    nodes.rounds = nodes.height;
  }
  move(ledger, nodes, FromRoot{problem.ranks, problem.root}, Run::blocks(problem, problem.root));
}

TreeShape binomial_of(Classical const& problem) { return binomial(problem.ranks, problem.distances); }
TreeShape knomial_of(Classical const& problem) { return knomial(problem.ranks, radix_of(problem)); }
TreeShape bine_of(Classical const& problem) { return bine(problem.ranks, problem.distances); }

}  // namespace

/// An allgather among ranks counted from the root.
void recursive_doubling(Ledger& ledger, FromRoot const& rank, Run const& parts) {
  int const p = rank.ranks;
  auto const run_at = [&](int v, int width) { return parts.of(v, std::min(v + width, p)); };
  for (int mask = 1; mask < p; mask *= 2) {
    ledger.begin_round();
    for (int v = 0; v < p; ++v) {
      if ((v ^ mask) < p) ledger.message(rank(v), rank(v ^ mask), run_at(v & ~(mask - 1), mask));
    }
    // The last run of 2 mask nodes may lack some of its upper half. Then only `partners` nodes of its lower half have a
    // partner.
    int const base = (p - 1) & ~(2 * mask - 1);
    int const partners = p - base - mask;
    if (partners <= 0 || partners >= mask) continue;
    // In each further round, the number of nodes with the upper parts doubles.
    for (int half = mask / 2; half >= 1; half /= 2) {
      if (partners >= 2 * half) continue;
      ledger.begin_round();
      for (int v = base; v < base + mask; ++v) {
        bool const has = v % (2 * half) < std::min(partners, half);
        bool const partner_lacks = v % (2 * half) + half >= partners;
        if (has && partner_lacks) ledger.message(rank(v), rank(v + half), run_at(base + mask, mask));
      }
    }
  }
}

/// An allgather around the ring.
void ring(Ledger& ledger, FromRoot const& rank, Run const& parts) {
  int const p = rank.ranks;
  for (int t = 0; t + 1 < p; ++t) {
    ledger.begin_round();
    for (int v = 0; v < p; ++v) ledger.message(rank(v), rank((v + 1) % p), parts.of((v + p - t) % p));
  }
}

void bcast_linear(Ledger& ledger, Classical const& problem) { down(ledger, problem, straight()); }
void bcast_chain(Ledger& ledger, Classical const& problem) {
  down(ledger, problem, chains(problem.ranks, radix_of(problem)));
}
void bcast_pipeline(Ledger& ledger, Classical const& problem) { down(ledger, problem, chains(problem.ranks, 1)); }
void bcast_binary(Ledger& ledger, Classical const& problem) { down(ledger, problem, binary()); }
void bcast_binomial(Ledger& ledger, Classical const& problem) { down(ledger, problem, binomial_of(problem)); }
void bcast_knomial(Ledger& ledger, Classical const& problem) { down(ledger, problem, knomial_of(problem)); }
void bcast_bine(Ledger& ledger, Classical const& problem) { down(ledger, problem, bine_of(problem)); }

void bcast_scatter_allgather(Ledger& ledger, Classical const& problem) {
  in_parts(ledger, problem, binomial(problem.ranks, problem::Distances::falling),
           [&](Nodes const&, auto const& rank, auto const& parts) { recursive_doubling(ledger, rank, parts); });
}
void bcast_scatter_ring_allgather(Ledger& ledger, Classical const& problem) {
  in_parts(ledger, problem, binomial(problem.ranks, problem::Distances::falling),
           [&](Nodes const&, auto const& rank, auto const& parts) { ring(ledger, rank, parts); });
}
void bcast_bine_scatter_allgather(Ledger& ledger, Classical const& problem) {
  in_parts(
      ledger, problem, bine(problem.ranks, problem::Distances::rising),
      [&](Nodes const& nodes, auto const& rank, auto const& parts) { bine_allgather(ledger, nodes, rank, parts); });
}

void gather_linear(Ledger& ledger, Classical const& problem) { move_blocks(ledger, problem, straight(), up_in_parts); }
void gather_binomial(Ledger& ledger, Classical const& problem) {
  move_blocks(ledger, problem, binomial_of(problem), up_in_parts);
}
void gather_knomial(Ledger& ledger, Classical const& problem) {
  move_blocks(ledger, problem, knomial_of(problem), up_in_parts);
}
void gather_bine(Ledger& ledger, Classical const& problem) {
  move_blocks(ledger, problem, bine_of(problem), up_in_parts);
}

/// The root asks each rank in turn by an empty message.
void gather_linear_sync(Ledger& ledger, Classical const& problem) {
  Run const blocks = Run::blocks(problem, problem.root);
  for (int v = 1; v < problem.ranks; ++v) {
    int const from = (v + problem.root) % problem.ranks;
    ledger.begin_round();
    ledger.message(problem.root, from, 0);
    ledger.begin_round();
    ledger.message(from, problem.root, blocks.of(v));
  }
}

void scatter_linear(Ledger& ledger, Classical const& problem) {
  move_blocks(ledger, problem, straight(), down_in_parts);
}
void scatter_linear_nb(Ledger& ledger, Classical const& problem) {
  move_blocks(ledger, problem, straight(radix_of(problem)), down_in_parts);
}
void scatter_binomial(Ledger& ledger, Classical const& problem) {
  move_blocks(ledger, problem, binomial_of(problem), down_in_parts);
}
void scatter_knomial(Ledger& ledger, Classical const& problem) {
  move_blocks(ledger, problem, knomial_of(problem), down_in_parts);
}
void scatter_bine(Ledger& ledger, Classical const& problem) {
  move_blocks(ledger, problem, bine_of(problem), down_in_parts);
}

}  // namespace rondo::theory
