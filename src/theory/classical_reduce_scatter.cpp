// The messages of reduce_scatter.

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "base/ids.hpp"
#include "theory/classical_parts.hpp"

namespace rondo::theory {
namespace {

using problem::Classical;
using problem::Distances;

int log2_of(int power) { return std::bit_width(static_cast<unsigned>(power)) - 1; }

/// The first rank of each pair gives all blocks to the second one before the halving, and gets its own block from it at
/// the end.
void from_left_out(Ledger& ledger, Pairs const& pairs, Run const& blocks) {
  if (pairs.x > 0) ledger.begin_round();
  for (int i = 0; i < pairs.x; ++i) ledger.message(2 * i, 2 * i + 1, blocks.all());
}
void to_left_out(Ledger& ledger, Pairs const& pairs, Run const& blocks) {
  if (pairs.x > 0) ledger.begin_round();
  for (int i = 0; i < pairs.x; ++i) ledger.message(2 * i + 1, 2 * i, blocks.of(2 * i));
}

/// The whole vectors go up the tree, and the root then sends each rank its block.
void scatter_from_rank_0(Ledger& ledger, Classical const& problem, TreeShape const& shape) {
  Run const blocks = Run::blocks(problem, 0);
  Nodes const nodes = nodes_of(problem.ranks, shape);
  for (int t = nodes.rounds; t >= 1; --t) {
    ledger.begin_round();
    for (int v = 1; v < problem.ranks; ++v) {
      if (nodes.of[at(v)].round == t) ledger.message(v, nodes.of[at(v)].parent, blocks.all());
    }
  }
  if (problem.ranks > 1) ledger.begin_round();
  for (int r = 1; r < problem.ranks; ++r) ledger.message(0, r, blocks.of(r));
}

/// In round k of p - 1 a block goes around the ring, or straight to its rank, which is k ahead.
void in_turn(Ledger& ledger, Classical const& problem, bool around) {
  Run const blocks = Run::blocks(problem, 0);
  int const p = problem.ranks;
  for (int k = 1; k < p; ++k) {
    ledger.begin_round();
    for (int r = 0; r < p; ++r)
      ledger.message(r, (r + (around ? 1 : k)) % p, blocks.of((r + (around ? p - k : k)) % p));
  }
}

}  // namespace

/// In each round a node sends the half of its blocks that the partner keeps.
void reduce_scatter_recursive_halving(Ledger& ledger, Classical const& problem) {
  Run const blocks = Run::blocks(problem, 0);
  Pairs const pairs(problem.ranks, 1);
  from_left_out(ledger, pairs, blocks);
  for (int mask = pairs.q / 2; mask >= 1; mask /= 2) {
    ledger.begin_round();
    for (int v = 0; v < pairs.q; ++v) {
      int const first = (v ^ mask) / mask * mask;
      ledger.message(pairs.rank(v), pairs.rank(v ^ mask), blocks.of(pairs.first(first), pairs.first(first + mask)));
    }
  }
  to_left_out(ledger, pairs, blocks);
}

/// The parts of the nodes are reduced with near ranks first. So a part ends at the node whose number has the reversed
/// bits.
void reduce_scatter_butterfly(Ledger& ledger, Classical const& problem) {
  Run const blocks = Run::blocks(problem, 0);
  Pairs const pairs(problem.ranks, 1);
  int const q = pairs.q;
  auto const held = [&](int v, int width) {
    int const size = q / width;
    int first = 0;
    for (int bit = 1; bit < width; bit *= 2) first = 2 * first + ((v & bit) != 0 ? size : 0);
    return std::pair(first, first + size);
  };
  from_left_out(ledger, pairs, blocks);
  for (int mask = 1; mask < q; mask *= 2) {
    ledger.begin_round();
    for (int v = 0; v < q; ++v) {
      auto const [first, last] = held(v ^ mask, 2 * mask);
      ledger.message(pairs.rank(v), pairs.rank(v ^ mask), blocks.of(pairs.first(first), pairs.first(last)));
    }
  }
  if (pairs.x > 0) ledger.begin_round();
  for (int v = 0; v < q; ++v) {
    int const part = held(v, q).first;
    if (part < pairs.x) ledger.message(pairs.rank(v), 2 * part, blocks.of(2 * part));
  }
  if (q > 2) ledger.begin_round();
  for (int v = 0; v < q; ++v) {
    int const part = held(v, q).first;
    if (part != v) ledger.message(pairs.rank(v), pairs.rank(part), blocks.of(pairs.rank(part)));
  }
}

/// A rank sends all blocks except those of its aligned run of `mask` ranks. The last run of 2 mask ranks may be
/// incomplete. Then the ranks of its lower half that have no partner get all but the blocks of the upper half from
/// others, and the number of ranks that have them doubles in each further round.
void reduce_scatter_recursive_doubling(Ledger& ledger, Classical const& problem) {
  int const p = problem.ranks;
  Run const blocks = Run::blocks(problem, 0);
  for (int mask = 1; mask < p; mask *= 2) {
    ledger.begin_round();
    for (int r = 0; r < p; ++r) {
      int const first = r / mask * mask;
      if ((r ^ mask) < p) ledger.message(r, r ^ mask, blocks.all() - blocks.of(first, std::min(first + mask, p)));
    }
    int const base = (p - 1) / (2 * mask) * (2 * mask);
    int const partners = p - base - mask;
    if (partners <= 0 || partners >= mask) continue;
    std::vector<bool> has(at(mask));
    std::fill_n(has.begin(), partners, true);
    for (int half = mask / 2; half >= 1; half /= 2) {
      std::vector<bool> const had = has;
      if (partners < 2 * half) ledger.begin_round();
      for (int i = 0; i < mask; ++i) {
        if (i / half % 2 != 0 || !had[at(i)] || had[at(i + half)]) continue;
        ledger.message(base + i, base + i + half, blocks.all() - blocks.of(base + mask, p));
        has[at(i + half)] = true;
      }
    }
  }
}

/// Node v keeps the blocks of the nodes whose last bits agree with its own, with one bit more in each round.
void reduce_scatter_noncommutative(Ledger& ledger, Classical const& problem) {
  Run const blocks = Run::blocks(problem, 0);
  Pairs const pairs(problem.ranks, 1);
  // By the last bits below 2 mask: the blocks of all nodes with these bits.
  auto const classes = [&](int modulus) {
    std::vector<std::int64_t> units(at(modulus));
    for (int v = 0; v < pairs.q; ++v) units[at(v % modulus)] += blocks.of(pairs.first(v), pairs.first(v + 1));
    return units;
  };
  from_left_out(ledger, pairs, blocks);
  for (int mask = 1; mask < pairs.q; mask *= 2) {
    std::vector<std::int64_t> const units = classes(2 * mask);
    ledger.begin_round();
    for (int v = 0; v < pairs.q; ++v) {
      int const to = v ^ mask;
      ledger.message(pairs.rank(v), pairs.rank(to), units[at(to % (2 * mask))]);
    }
  }
  to_left_out(ledger, pairs, blocks);
}

/// A rank gives its partner in the Bine butterfly the blocks of all ranks that the partner reaches in later steps.
void reduce_scatter_bine(Ledger& ledger, Classical const& problem) {
  int const p = problem.ranks;
  Run const blocks = Run::blocks(problem, 0);
  int const bits = log2_of(p);
  auto const partner = [&](int r, int t) {
    return bine_partner(r, bits, problem.distances == Distances::falling ? t : bits - 1 - t);
  };
  // Computed backwards: the units that each rank holds after step t.
  std::vector<std::vector<std::int64_t>> units(at(bits) + 1, std::vector<std::int64_t>(at(p)));
  for (int r = 0; r < p; ++r) units[at(bits)][at(r)] = blocks.of(r);
  for (int t = bits; t-- > 0;) {
    for (int r = 0; r < p; ++r) units[at(t)][at(r)] = units[at(t) + 1][at(r)] + units[at(t) + 1][at(partner(r, t))];
  }
  for (int t = 0; t < bits; ++t) {
    ledger.begin_round();
    for (int r = 0; r < p; ++r) ledger.message(r, partner(r, t), units[at(t) + 1][at(partner(r, t))]);
  }
}

void reduce_scatter_linear(Ledger& ledger, Classical const& problem) {
  scatter_from_rank_0(ledger, problem, straight());
}
void reduce_scatter_nonoverlapping(Ledger& ledger, Classical const& problem) {
  scatter_from_rank_0(ledger, problem, binomial(problem.ranks, Distances::falling));
}
void reduce_scatter_ring(Ledger& ledger, Classical const& problem) { in_turn(ledger, problem, true); }
void reduce_scatter_pairwise(Ledger& ledger, Classical const& problem) { in_turn(ledger, problem, false); }

/// The skips halve from p to 1; in each round all contributions beyond the skip move.
void reduce_scatter_circulant(Ledger& ledger, Classical const& problem) {
  Run const blocks = Run::blocks(problem, 0);
  int const p = problem.ranks;
  for (int s = p; s > 1; s -= s / 2) {
    ledger.begin_round();
    int const skip = s - s / 2;
    for (int r = 0; r < p; ++r) ledger.message(r, (r + skip) % p, blocks.of(r + skip, r + s));
  }
}

}  // namespace rondo::theory
