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

/// The nodes base .. base+mask-1 have exchanged with the nodes base+mask .. end-1, which are fewer. This sends the
/// parts of the upper nodes to those lower nodes that had no partner.
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

/// In round t a node forwards the part that it got in round t - 1; p - 1 rounds.
void ring(Writer& writer, Relative const& rank, std::vector<Pieces> const& parts) {
  int const p = rank.ranks();
  for (int t = 0; t + 1 < p; ++t) {
    writer.begin_round();
    for (int v = 0; v < p; ++v) writer.message(rank(v), rank((v + 1) % p), parts[at((v - t + p) % p)]);
  }
}

/// Runs of nodes double in each round. If p is no power of two, the last run is shorter, and nodes without a partner
/// get its parts in extra rounds.
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
