// Writes the rounds of allgathers among ranks that are counted from a root.

#include "generate/classical_exchanges.hpp"

#include <algorithm>

#include "base/index.hpp"

namespace rondo::generate::classical {
namespace {

/// The pieces of the parts first .. last-1.
Pieces of_run(std::vector<Pieces> const& parts, int first, int last) {
  Pieces pieces;
  for (int k = first; k < last; ++k) pieces.insert(pieces.end(), parts[at(k)].begin(), parts[at(k)].end());
  return pieces;
}

/// The first `partners` of the `mask` lower nodes, which begin at `base`, have exchanged with the upper nodes, which
/// are fewer than `mask`. This sends `upper`, the parts of all upper nodes, to the lower nodes that had no partner. In
/// each round the nodes that have these parts send them on over half the distance of the round before; a round without
/// messages is left out.
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

}  // namespace rondo::generate::classical
