// Reduce-scatter: the vectors of all ranks are reduced, and each rank gets its block of the result.

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/error.hpp"
#include "base/ids.hpp"
#include "generate/classical.hpp"
#include "generate/classical_patterns.hpp"
#include "generate/classical_reducer.hpp"

namespace rondo::generate::classical {
namespace {

using problem::Classical;

/// Block b goes around the ring once, from rank b + 1 to rank b.
void around(Reducer& reducer, int p) {
  for (int t = 0; t + 1 < p; ++t) {
    reducer.begin_round();
    for (int r = 0; r < p; ++r) reducer.message(r, (r + 1) % p, piece_of((r + 2 * p - t - 1) % p), Join::before);
  }
}

/// In round k rank r sends rank r + k its block.
void pairs(Reducer& reducer, int p) {
  for (int k = 1; k < p; ++k) {
    reducer.begin_round();
    for (int r = 0; r < p; ++r) reducer.message(r, (r + k) % p, piece_of((r + k) % p), Join::before);
  }
}

/// The ranks at a distance s' <= i < s before a block's rank send the block on by s' = ceil(s / 2) [Traeff24].
void skips(Reducer& reducer, int p) {
  for (int s = p; s > 1; s = (s + 1) / 2) {
    reducer.begin_round();
    int const skip = (s + 1) / 2;
    for (int r = 0; r < p; ++r) {
      Pieces pieces;
      for (int i = skip; i < s; ++i) pieces.push_back(piece_of((r + i) % p));
      reducer.message(r, (r + skip) % p, pieces, Join::before);
    }
  }
}

Pieces all_blocks(int p) {
  Pieces pieces(at(p));
  std::iota(pieces.begin(), pieces.end(), 0U);
  return pieces;
}

/// All blocks except those of the ranks of one run of `mask` ranks.
Pieces all_but(int p, int mask, int run) {
  Pieces pieces;
  for (int b = 0; b < p; ++b) {
    if (b / mask != run) pieces.push_back(piece_of(b));
  }
  return pieces;
}

/// Joins all vectors up a tree at rank 0, which then sends each rank its block.
void by_rank_0(Reducer& reducer, Tree const& tree) {
  int const p = tree.nodes();
  Pieces const all = all_blocks(p);
  for (int t = tree.rounds(); t > 0; --t) {
    reducer.begin_round();
    for (int v = 1; v < p; ++v) {
      if (tree.round[at(v)] == t) reducer.message(v, tree.parent[at(v)], all, Join::after);
    }
  }
  if (p > 1) reducer.begin_round();
  for (int r = 1; r < p; ++r) reducer.message(0, r, piece_of(r), Join::none);
}

/// The ranks base .. base + mask - 1 get the contributions of the ranks after them, which are fewer. The first of them
/// get these directly, and pass them on at distances mask / 2, mask / 4, ...
void send_last_blocks(Reducer& reducer, int p, int base, int mask) {
  int const partners = p - base - mask;
  Pieces const pieces = all_but(p, mask, base / mask + 1);
  for (int v = base + mask; v < p; ++v) reducer.message_aside(v, v - mask, pieces);
  for (int half = mask / 2; 2 * half > partners && half > 0; half /= 2) {
    reducer.begin_round();
    for (int v = base; v < base + mask; ++v) {
      int const within = v % (2 * half);
      if (within < std::min(half, partners) && within + half >= partners) reducer.hand_on(v, v + half, pieces);
    }
  }
  for (int v = base; v < base + mask; ++v) reducer.join_aside(v, pieces, Join::after);
}

/// A rank sends all blocks, except those of the ranks from which it has heard, to the rank at distance 1, 2, 4, ...
void all_others(Reducer& reducer, int p) {
  for (int mask = 1; mask < p; mask *= 2) {
    int const base = p - p % (2 * mask);
    bool const some_lack_a_partner = base + mask < p && p < base + 2 * mask;
    reducer.begin_round();
    for (int v = 0; v < p; ++v) {
      int const to = v ^ mask;
      bool const sent_by_last = some_lack_a_partner && v >= base + mask;
      if (to < p && !sent_by_last) reducer.message(v, to, all_but(p, mask, v / mask), join_from(v, to));
    }
    if (some_lack_a_partner) send_last_blocks(reducer, p, base, mask);
  }
}

/// The surplus ranks give all blocks to their neighbors, which are nodes.
void fold_in(Reducer& reducer, Folded const& folded, int p) {
  if (folded.removed() > 0) reducer.begin_round();
  for (int i = 0; i < folded.removed(); ++i) reducer.message(2 * i, 2 * i + 1, all_blocks(p), Join::before);
}

/// The order of distances in halving: near partners first or far ones.
enum class First : std::uint8_t { near, far };

/// Nodes exchange half of the blocks at distance 1 or q/2, a quarter at distance 2 or q/4, and so on. A node keeps the
/// blocks of the nodes that agree with it in the bits of all distances so far. If near ranks come first, runs of ranks
/// are joined in their order.
void halves(Reducer& reducer, int p, First first) {
  Folded const folded(p, Folded::Node::odd);
  int const q = folded.nodes();
  auto const kept = [&](int v, int mask) {
    Pieces pieces;
    for (int b = 0; b < p; ++b) {
      int const u = folded.node(b);
      bool const keeps = first == First::near ? u % (2 * mask) == v % (2 * mask) : u / mask == v / mask;
      if (keeps) pieces.push_back(piece_of(b));
    }
    return pieces;
  };
  fold_in(reducer, folded, p);
  for (int step = 1; step < q; step *= 2) {
    int const mask = first == First::near ? step : q / 2 / step;
    reducer.begin_round();
    for (int v = 0; v < q; ++v) {
      int const to = v ^ mask;
      reducer.message(folded.rank(v), folded.rank(to), kept(to, mask), join_from(v, to));
    }
  }
  if (folded.removed() > 0) {
    reducer.begin_round();
    for (int i = 0; i < folded.removed(); ++i) reducer.message(2 * i + 1, 2 * i, piece_of(2 * i), Join::none);
  }
}

/// Near ranks come first, and blocks are halved in runs. Node v ends with the blocks of the node whose number has the
/// reversed bits of v, and sends them to their ranks.
void halves_of_runs(Reducer& reducer, int p) {
  Folded const folded(p, Folded::Node::odd);
  int const q = folded.nodes();
  Cut blocks{{}, std::vector<Pieces>(at(q))};
  for (int b = 0; b < p; ++b) blocks.parts[at(folded.node(b))].push_back(piece_of(b));
  fold_in(reducer, folded, p);
  for (int mask = 1; mask < q; mask *= 2) {
    reducer.begin_round();
    for (int v = 0; v < q; ++v) {
      int const to = v ^ mask;
      reducer.message(folded.rank(v), folded.rank(to), halved(blocks, q, to, 2 * mask), join_from(v, to));
    }
  }
  // The blocks of folded ranks are sent first, then those of the nodes.
  for (std::size_t const size : {2, 1}) {
    bool begun = false;
    for (int v = 0; v < q; ++v) {
      Pieces const pieces = halved(blocks, q, v, q);
      if (pieces.size() < size) continue;
      std::uint32_t const piece = pieces[pieces.size() - size];
      if (static_cast<int>(piece) == folded.rank(v)) continue;
      if (!begun) reducer.begin_round();
      begun = true;
      reducer.message(folded.rank(v), static_cast<int>(piece), piece, Join::none);
    }
  }
}

/// In step s a rank sends its partner in a Bine butterfly the blocks of all ranks that the partner reaches in later
/// steps.
void bine_butterfly(Reducer& reducer, int p, problem::Distances distances) {
  int const rounds = std::bit_width(static_cast<unsigned>(p)) - 1;
  auto const partner = [&](int v, int t) {
    return bine_partner(v, distances == problem::Distances::falling ? t : rounds - 1 - t, p);
  };
  std::vector<std::vector<Pieces>> reached(at(rounds) + 1, std::vector<Pieces>(at(p)));
  for (int v = 0; v < p; ++v) reached[at(rounds)][at(v)] = {piece_of(v)};
  for (int t = rounds - 1; t >= 0; --t) {
    for (int v = 0; v < p; ++v) {
      Pieces& all = reached[at(t)][at(v)];
      all = reached[at(t) + 1][at(v)];
      Pieces const& more = reached[at(t) + 1][at(partner(v, t))];
      all.insert(all.end(), more.begin(), more.end());
    }
  }
  for (int t = 0; t < rounds; ++t) {
    reducer.begin_round();
    for (int v = 0; v < p; ++v) {
      int const to = partner(v, t);
      reducer.message(v, to, reached[at(t) + 1][at(to)], Join::before);
    }
  }
}

/// Writes a reduce-scatter whose pieces are the blocks.
template <typename Write>
Schedule by_blocks(Classical const& problem, int ports, Write const& write) {
  std::vector<Bytes> const sizes =
      problem.sizes.each.empty() ? std::vector(at(problem.ranks), problem.sizes.block) : problem.sizes.each;
  expects(sizes.size() == at(problem.ranks), "no sizes, or one for each block");
  return reduced(problem, sizes, ports, [&](Reducer& reducer) { write(reducer, problem.ranks); });
}

}  // namespace

Schedule reduce_scatter_linear(Classical const& problem) {
  return by_blocks(problem, 0, [](Reducer& reducer, int p) { by_rank_0(reducer, linear_tree(p)); });
}
Schedule reduce_scatter_nonoverlapping(Classical const& problem) {
  return by_blocks(problem, 0,
                   [](Reducer& reducer, int p) { by_rank_0(reducer, binomial_tree(p, problem::Distances::falling)); });
}
Schedule reduce_scatter_ring(Classical const& problem) { return by_blocks(problem, 1, around); }
Schedule reduce_scatter_pairwise(Classical const& problem) { return by_blocks(problem, 1, pairs); }
Schedule reduce_scatter_circulant(Classical const& problem) { return by_blocks(problem, 1, skips); }
Schedule reduce_scatter_recursive_doubling(Classical const& problem) { return by_blocks(problem, 1, all_others); }
Schedule reduce_scatter_recursive_halving(Classical const& problem) {
  return by_blocks(problem, 1, [](Reducer& reducer, int p) { halves(reducer, p, First::far); });
}
Schedule reduce_scatter_noncommutative(Classical const& problem) {
  return by_blocks(problem, 1, [](Reducer& reducer, int p) { halves(reducer, p, First::near); });
}
Schedule reduce_scatter_butterfly(Classical const& problem) { return by_blocks(problem, 1, halves_of_runs); }
Schedule reduce_scatter_bine(Classical const& problem) {
  return by_blocks(problem, 1, [&](Reducer& reducer, int p) { bine_butterfly(reducer, p, problem.distances); });
}

}  // namespace rondo::generate::classical
