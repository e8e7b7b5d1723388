// The vectors of all ranks, reduced in blocks, one for each rank.

#include <algorithm>
#include <bit>

#include "base/error.hpp"
#include "base/index.hpp"
#include "generate/classical.hpp"
#include "generate/classical_halving.hpp"
#include "generate/classical_reducer.hpp"
#include "generate/classical_trees.hpp"

namespace rondo::generate::classical {
namespace {

/// Block b goes once around, from rank b + 1 to rank b.
void around(Reducer& reducer, int p) {
  for (int t = 0; t + 1 < p; ++t) {
    reducer.begin_round();
    for (int r = 0; r < p; ++r) reducer.message(r, (r + 1) % p, piece_of((r + 2 * p - t - 1) % p), Join::before);
  }
}

void pairs(Reducer& reducer, int p) {
  for (int k = 1; k < p; ++k) {
    reducer.begin_round();
    for (int r = 0; r < p; ++r) reducer.message(r, (r + k) % p, piece_of((r + k) % p), Join::before);
  }
}

/// Block (r + i) mod p goes on by s' = ceil(s / 2) from all ranks at a distance s' <= i < s of its own.
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

/// All blocks but those of the ranks that a node has heard of go to the node at distance 1, 2, 4, ...
void all_others(Reducer& reducer, int p) {
  for (int mask = 1; mask < p; mask *= 2) {
    reducer.begin_round();
    for (int v = 0; v < p; ++v) {
      Pieces pieces;
      for (int b = 0; b < p; ++b) {
        if (b / mask != v / mask) pieces.push_back(piece_of(b));
      }
      reducer.message(v, v ^ mask, pieces, (v & mask) != 0 ? Join::after : Join::before);
    }
  }
}

void halves(Reducer& reducer, int p) {
  Folded const folded(p, Folded::Kept::odd);
  auto const blocks = [&](int first, int last) {
    Pieces pieces;
    for (int b = 0; b < p; ++b) {
      if (first <= folded.node(b) && folded.node(b) < last) pieces.push_back(piece_of(b));
    }
    return pieces;
  };
  int const q = folded.nodes();
  if (folded.removed() > 0) {
    reducer.begin_round();
    for (int i = 0; i < folded.removed(); ++i) reducer.message(2 * i, 2 * i + 1, blocks(0, q), Join::before);
  }
  for (int mask = q / 2; mask >= 1; mask /= 2) {
    reducer.begin_round();
    for (int v = 0; v < q; ++v) {
      int const first = (v ^ mask) & ~(mask - 1);
      Join const join = (v & mask) != 0 ? Join::after : Join::before;
      reducer.message(folded.rank(v), folded.rank(v ^ mask), blocks(first, first + mask), join);
    }
  }
  if (folded.removed() > 0) {
    reducer.begin_round();
    for (int i = 0; i < folded.removed(); ++i) reducer.message(2 * i + 1, 2 * i, piece_of(2 * i), Join::none);
  }
}

/// In step s a rank sends its partner in a Bine butterfly the blocks of all ranks that the partner comes to in the
/// steps behind it.
void butterfly(Reducer& reducer, int p, problem::Distances distances) {
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

}  // namespace

Schedule reduce_scatter(problem::Classical const& problem) {
  using enum problem::ClassicalAlgorithm;
  int const p = problem.ranks;
  std::vector<Bytes> const sizes =
      problem.sizes.each.empty() ? std::vector(at(p), problem.sizes.block) : problem.sizes.each;
  expects(sizes.size() == at(p), "no sizes, or one for each block");
  return reduced(problem, sizes, 1, [&](Reducer& reducer) {
    switch (problem.algorithm) {
      case ring:
        return around(reducer, p);
      case pairwise:
        return pairs(reducer, p);
      case circulant:
        return skips(reducer, p);
      case recursive_doubling:
        return all_others(reducer, p);
      case recursive_halving:
        return halves(reducer, p);
      case bine:
        return butterfly(reducer, p, problem.distances);
      default:
        throw ContractViolation("an algorithm of reduce_scatter");
    }
  });
}

}  // namespace rondo::generate::classical
